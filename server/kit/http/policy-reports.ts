// What browsers report about the content security policy. Anyone can send such a report, so little of it is
// read, and nothing of an address but its origin and path.

export const mostReportBytes = 64 * 1024
const mostReports = 5

/** What the page was not allowed, its path, and what was blocked: an origin, or a word of the browser. */
type PolicyReport = { directive: string; page: string; blocked: string }

/** The first reports of a body, by the Reporting API or as `report-uri` sends them; none of anything else. */
export function readPolicyReports(body: Uint8Array | null): PolicyReport[] {
  const sent = parse(body)
  const list = Array.isArray(sent) ? sent : [sent]
  return list.slice(0, mostReports).flatMap((each) => {
    const report = fieldsOf(fieldsOf(each)['body'] ?? fieldsOf(each)['csp-report'])
    const directive = textOf(report['effectiveDirective'] ?? report['effective-directive'])
    if (directive === '') return []
    const page = urlOf(report['documentURL'] ?? report['document-uri'])
    const blocked = report['blockedURL'] ?? report['blocked-uri']
    return [
      {
        directive,
        page: page?.pathname.slice(0, 200) ?? '',
        blocked: urlOf(blocked)?.origin ?? textOf(blocked),
      },
    ]
  })
}

function parse(body: Uint8Array | null): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body ?? new Uint8Array()))
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 60) : '')

function urlOf(value: unknown): URL | null {
  return typeof value === 'string' && /^https?:/.test(value) ? URL.parse(value) : null
}
