// The figures that deploy/alerts.yml and deploy/dashboard.json name, to compare with what processes serve.
import { readFile } from 'node:fs/promises'

type Named = { names: string[]; labels: string[] }

/** The names of metrics, and labels as `what="jobs"`, of both files. */
export async function readNamedFigures(): Promise<Named> {
  const texts = await Promise.all(
    ['alerts.yml', 'dashboard.json'].map((file) => readFile(`deploy/${file}`, 'utf8')),
  )
  // In JSON the quotes are escaped.
  const text = texts.join('\n').replaceAll('\\"', '"')
  const names = text.match(/\b(evenhand|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g) ?? []
  const labels = [...text.matchAll(/\b(what|age|outcome)=~?"([^"]*)"/g)].flatMap(([, label, values = '']) =>
    values.split('|').map((value) => `${label}="${value}"`),
  )
  return { names: [...new Set(names)], labels: [...new Set(labels)] }
}

/** Those names that a process, or several, do not serve. `served` is what Prometheus would read. */
export function missingNames({ names }: Named, served: string): string[] {
  const has = (name: string) => served.includes(`# TYPE ${name} `)
  // A histogram is served as three figures.
  return names.filter((name) => !has(name) && !has(name.replace(/_(count|sum|bucket)$/, '')))
}
