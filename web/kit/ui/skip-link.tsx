/**
 * The first link in the tab order: skips the navigation. In the app it moves the focus alone: an entry in the
 * history that the router did not make confuses what it knows of Back.
 */
export function SkipLink({ to = 'main' }: { to?: string }) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        const place = document.getElementById(to)
        if (!place) return
        event.preventDefault()
        place.focus()
        place.scrollIntoView()
      }}
      className={
        'floating fixed top-2 left-2 z-80 -translate-y-24 opacity-0 focus-visible:opacity-100 rounded-8 ' +
        'px-3 py-2 text-14 font-medium text-accent-ink focus-visible:translate-y-0'
      }
    >
      Skip to the page
    </a>
  )
}
