import type { ReactNode } from 'react'

type PageHeadProps = {
  title: ReactNode
  /** One or two sentences under the title. */
  lead?: ReactNode
  /** Below the lead: a date, a search, a button. */
  children?: ReactNode
}

/** The title of a public page other than the front page. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  return (
    <header className="mx-auto w-full max-w-content px-5 pt-14 pb-10 sm:px-6 sm:pt-20 sm:pb-12">
      <h1 className="max-w-[20ch] text-36 font-semibold text-ink sm:text-48">{title}</h1>
      {lead ? <p className="mt-4 max-w-[58ch] text-18 text-pretty text-ink-2">{lead}</p> : null}
      {children}
    </header>
  )
}

/** A full-width section of a public page. */
export function PageBand({
  id,
  className,
  children,
}: {
  id?: string
  className?: string
  children: ReactNode
}) {
  return (
    <section id={id} className={className}>
      <div className="mx-auto max-w-content px-5 sm:px-6">{children}</div>
    </section>
  )
}
