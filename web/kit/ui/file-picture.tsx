import { useCallback } from 'react'
import type { CSSProperties } from 'react'

type FilePictureProps = { file: File; alt: string; style?: CSSProperties; className?: string }

/** A picture that the user has chosen on their device. */
export function FilePicture({ file, alt, style, className }: FilePictureProps) {
  // An object URL keeps its file in memory until it is revoked, so it is revoked when the picture unmounts.
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [file],
  )
  return <img ref={show} alt={alt} style={style} className={className} />
}
