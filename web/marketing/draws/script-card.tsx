import { Download } from 'lucide-react'
import { LinkButton } from '#web/kit/ui/link-button.tsx'

type ScriptCardProps = {
  name: string
  href: string
  command: string
  /** The first and the last line that it prints when nothing is wrong. */
  output: string
  last: string
}

/** A script to download, the one command that runs it, and what it prints. */
export function ScriptCard({ name, href, command, output, last }: ScriptCardProps) {
  return (
    <div className="mt-5 rounded-12 border border-line bg-surface p-5 sm:p-6">
      <LinkButton href={href} download={name} icon={<Download aria-hidden="true" />}>
        {name}
      </LinkButton>
      <pre
        className={
          'mt-4 rounded-8 bg-sunken px-4 py-3 ' +
          'font-mono text-13 wrap-anywhere whitespace-pre-wrap text-ink-2'
        }
      >
        <code>
          <span className="text-ink">$ {command}</span>
          {`\n${output}\n…\n${last}`}
        </code>
      </pre>
    </div>
  )
}
