import { useCallback } from 'react'

type FilePictureProps = { file: File; alt: string; className?: string }

/** A picture that somebody has chosen, from their own device. */
export function FilePicture({ file, alt, className }: FilePictureProps) {
  // An object URL holds its file in memory until it is given back, so it lives exactly as long as the picture.
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [file],
  )
  return <img ref={show} alt={alt} className={className} />
}
