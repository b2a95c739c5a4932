import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type PageProps = {
  /** `content` is 1,120 px, `reading` 68 characters, `narrow` for a single form, `full` the whole width. */
  width?: 'content' | 'reading' | 'narrow' | 'full'
  className?: string
  children: ReactNode
}

/** The column of a page inside the frame, with its title and its parts below each other. */
export function Page({ width = 'content', className, children }: PageProps) {
  return (
    <div className={cx('mx-auto w-full px-4 pt-6 pb-16 sm:px-8 sm:pt-8', widths[width])}>
      <div className={cx('flex flex-col gap-6', className)}>{children}</div>
    </div>
  )
}

const widths = {
  content: 'max-w-[calc(var(--content-width)+4rem)]',
  reading: 'max-w-[calc(var(--reading-width)+4rem)]',
  narrow: 'max-w-[40rem]',
  full: '',
}
