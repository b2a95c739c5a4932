import type { Config } from '#server/kit/config.ts'

const secretPaths = /^\/(auth|reset-password|verify-email)(\/|$)/

/**
 * Puts the headers on an answer that every answer carries, errors included. A route's own stricter policy
 * stays.
 */
export function securityHeaders(path: string, response: Response, config: Config) {
  const { headers } = response
  const isHtml = headers.get('content-type')?.startsWith('text/html') ?? false
  const secure = config.origin.startsWith('https:')
  if (!headers.has('content-security-policy')) {
    headers.set(
      'content-security-policy',
      isHtml ? pagePolicy(secure) : "default-src 'none'; frame-ancestors 'none'",
    )
  }
  if (isHtml) headers.set('reporting-endpoints', `csp="${config.origin}/api/csp-reports"`)
  headers.set('cross-origin-opener-policy', 'same-origin-allow-popups')
  // A picture that is made to be shown on other sites says so itself.
  if (!headers.has('cross-origin-resource-policy')) headers.set('cross-origin-resource-policy', 'same-origin')
  if (secure) headers.set('strict-transport-security', 'max-age=63072000; includeSubDomains')
  headers.set('referrer-policy', secretPaths.test(path) ? 'no-referrer' : 'strict-origin-when-cross-origin')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()')
  if (path.startsWith('/api')) headers.set('cache-control', 'no-store')
  else if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache')
}

/** What every answer of a call carries, as plain names and values. */
export function headersOfCalls(config: Config): Record<string, string> {
  const example = new Response(null, { headers: { 'content-type': 'application/json' } })
  securityHeaders('/api', example, config)
  return Object.fromEntries(example.headers)
}

function pagePolicy(secure: boolean) {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    'report-to csp',
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
