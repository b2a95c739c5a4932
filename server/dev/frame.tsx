// The frame of the demo's own pages, with the mark that every page of a demo carries.
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { HttpContext } from '#server/kit/http/http.ts'

type FrameProps = {
  title: string
  /** Seconds until the page loads again. */
  refreshes?: number | undefined
  children: ReactNode
}

export function Frame({ title, refreshes, children }: FrameProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {refreshes === undefined ? null : <meta httpEquiv="refresh" content={String(refreshes)} />}
        <title>{`${title} · Evenhand`}</title>
        <link rel="icon" href="/favicon.svg" />
        <link rel="stylesheet" href="/dev/mail.css" />
      </head>
      <body>
        <header className="bar">
          <a href="/">Evenhand</a>
          <strong className="mark">Demo club</strong>
          <nav aria-label="Demo">
            <a href="/dev/mail">Mail</a>
            <a href="/dev/staff">Staff</a>
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}

export function page(c: HttpContext, content: ReactNode) {
  return c.html(`<!doctype html>${renderToStaticMarkup(content)}`)
}
