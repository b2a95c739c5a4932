import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { DragEvent, ReactNode, RefObject } from 'react'
import { Alert } from '#web/kit/ui/alert.tsx'
import { buttonLook } from '#web/kit/ui/button.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { LinkButton } from '#web/kit/ui/link-button.tsx'
import { Spinner } from '#web/kit/ui/spinner.tsx'
import { paths } from '#web/paths.ts'
import { LeftOut } from './left-out.tsx'
import { OwnDraws } from './own-draws.tsx'
import { ReportView } from './report-view.tsx'
import type { Checker, Failure, Report } from './report.ts'

type DrawCheckProps = {
  /** Null while the page is rendered by the server. */
  checker: Checker | null
  signedIn: boolean
  /** The request or offer that the address names. */
  request?: string | undefined
  /** A file that was dropped before this page could check it. */
  dropped?: File | undefined
}

type Shown =
  | { of: 'nothing' }
  | { of: 'busy' }
  | { of: 'failure'; failure: Failure }
  | { of: 'report'; report: Report }

/** Checks a receipt that was pasted, dropped or chosen, or that of one's own request. */
export function DrawCheck({ checker, signedIn, request, dropped }: DrawCheckProps) {
  // The server rendered the field, so text may be in it before React is: it stays there alone.
  const field = useRef<HTMLTextAreaElement>(null)
  const [named, setNamed] = useState(request)
  const place = useRef<HTMLDivElement>(null)
  const { shown, check } = useCheck()
  const isDone = shown.of === 'report' || shown.of === 'failure'
  // On a phone the result begins below the screen.
  useEffect(() => {
    if (isDone) place.current?.scrollIntoView({ block: 'start' })
  }, [isDone])
  const checkAtStart = useEffectEvent(() => (dropped ? void checkFile(dropped) : checkNamed()))
  // The address and a dropped file are outside React: they ask for a check once, when the page opens.
  useEffect(() => checkAtStart(), [])

  function checkNamed() {
    if (checker && named) check(() => checker.checkRequest(named))
  }

  function checkText(given: string) {
    // From now on the page is about this text.
    setNamed(undefined)
    if (checker) check(() => checker.checkText(given))
  }

  async function checkFile(file: File | undefined) {
    if (!file) return
    const given = await file.text()
    // A long text would make the field slow.
    if (field.current) field.current.value = given.length < 200_000 ? given : ''
    checkText(given)
  }

  const checkTyped = () => checkText(field.current?.value ?? '')
  const onAgain = () => (named ? checkNamed() : checkTyped())
  const result = <Result shown={shown} onAgain={onAgain} request={named} />
  return (
    <>
      {named ? <div className="mb-10">{result}</div> : null}
      <ReceiptForm
        field={field}
        busy={shown.of === 'busy'}
        onCheck={checkTyped}
        onFile={(file) => void checkFile(file)}
      />
      {named ? null : (
        <div ref={place} className="mt-8 scroll-mt-24">
          {result}
        </div>
      )}
      <output className="sr-only">{statusOf(shown)}</output>
      {signedIn ? <OwnDraws checker={checker} /> : null}
      <LeftOut checker={checker} signedIn={signedIn} />
    </>
  )
}

function statusOf(shown: Shown): string {
  if (shown.of === 'nothing') return ''
  if (shown.of === 'busy') return 'Checking each step...'
  return shown.of === 'report' ? shown.report.verdict.title : shown.failure.title
}

function useCheck() {
  const [shown, setShown] = useState<Shown>({ of: 'nothing' })
  const latest = useRef(0)

  function check(ask: () => Promise<Report | Failure>) {
    const mine = (latest.current += 1)
    setShown({ of: 'busy' })
    ask().then(show, () => show(stopped))

    function show(found: Report | Failure) {
      if (mine !== latest.current) return
      setShown('verdict' in found ? { of: 'report', report: found } : { of: 'failure', failure: found })
    }
  }
  return { shown, check }
}

const stopped: Failure = {
  title: 'The check stopped',
  text: 'This browser couldn’t finish it. Reload the page and try again.',
  again: true,
}

type ReceiptFormProps = {
  field: RefObject<HTMLTextAreaElement | null>
  busy: boolean
  onCheck: () => void
  onFile: (file: File | undefined) => void
}

function ReceiptForm({ field, busy, onCheck, onFile }: ReceiptFormProps) {
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    onFile(event.dataTransfer.files[0])
  }

  return (
    // Dropping a file here is a shortcut for the button that chooses one.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      aria-label="Check a receipt"
      className={cx(
        'rounded-12 border bg-surface p-5 sm:p-6',
        isOver ? 'border-accent bg-accent-soft' : 'border-line',
      )}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onCheck()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id} className="block text-14 font-medium text-ink">
        Receipt
      </label>
      <p id={`${id}-help`} className="mt-0.5 text-13 text-ink-2">
        Paste its text, or drop or choose its file. It stays in this browser.
      </p>
      <textarea
        ref={field}
        id={id}
        aria-describedby={`${id}-help`}
        rows={5}
        spellCheck={false}
        autoComplete="off"
        placeholder='{"format":"evenhand-draw-receipt/1", …'
        className="control mt-3 block w-full resize-y px-3 py-2 font-mono text-13"
      />
      <div className="mt-4 flex flex-wrap gap-3">
        <button type="submit" aria-disabled={busy || undefined} className={buttonLook('primary', 'lg')}>
          {busy ? <Spinner /> : null}
          {busy ? 'Checking...' : 'Check'}
        </button>
        <button type="button" className={buttonLook('secondary', 'lg')} onClick={() => file.current?.click()}>
          <FileUp aria-hidden="true" />
          Choose a file
        </button>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          aria-label="File of the receipt"
          style={{ display: 'none' }}
          onChange={(event) => {
            onFile(event.target.files?.[0])
            // Choosing the same file again checks it again.
            event.target.value = ''
          }}
        />
      </div>
    </form>
  )
}

type ResultProps = { shown: Shown; request: string | undefined; onAgain: () => void }

function Result({ shown, request, onAgain }: ResultProps): ReactNode {
  if (shown.of === 'nothing') return null
  if (shown.of === 'busy') {
    return (
      <p className="flex items-center gap-2.5 text-16 text-ink-2">
        <Spinner /> Checking each step...
      </p>
    )
  }
  if (shown.of === 'report')
    return <ReportView report={shown.report} own={request === shown.report.request} />
  const { title, text, again, signIn } = shown.failure
  return (
    <Alert
      tone={signIn ? 'info' : 'danger'}
      title={title}
      announce={false}
      action={
        signIn ? (
          <LinkButton href={paths.signIn({ returnTo: paths.drawCheck(request) })} variant="primary">
            Sign in
          </LinkButton>
        ) : again ? (
          <button type="button" className={buttonLook('secondary', 'md')} onClick={onAgain}>
            Try again
          </button>
        ) : null
      }
    >
      {text}
    </Alert>
  )
}
