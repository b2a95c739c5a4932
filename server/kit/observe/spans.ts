// Spans: how long a request, a job and a mail took, and which led to which. They are sent by OTLP where
// OTEL_EXPORTER_OTLP_ENDPOINT says so; otherwise the libraries for them are not even loaded.
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Link, Span, SpanContext } from '@opentelemetry/api'
import type { Cause, Ctx } from '#server/kit/ctx.ts'
import type { Log } from '#server/kit/log.ts'

type Attributes = Record<string, string | number>

/** A span that goes on until it is ended, and under which others may stand. */
export type OpenSpan = {
  cause: Cause
  end(how: { name?: string; attributes?: Attributes; error?: unknown; failed?: boolean }): void
}

type Start = (options: {
  name: string
  kind: keyof typeof kinds
  /** What led to it: its trace goes on. */
  cause: Cause
  /** Others that led to it too. */
  links?: Cause[]
}) => OpenSpan

/** As OTLP numbers them. */
const kinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const

let start: Start | undefined

/** Begins to send spans to `endpoint`; without one nothing is loaded. `close` sends what is left. */
export async function openSpans({
  endpoint,
  process,
  log,
}: {
  endpoint: string | null
  process: string
  log: Log
}): Promise<{ close(): Promise<void> }> {
  if (endpoint === null) return { close: async () => {} }
  const [
    api,
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  let nextTraceId = ''
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'evenhand', 'service.instance.id': process }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
    // The number that people see names the trace too.
    idGenerator: {
      generateTraceId: () => nextTraceId,
      generateSpanId: () => randomBytes(8).toString('hex'),
    },
  })
  const quiet = () => {}
  const warn = (message: string) => log.warn({ err: message }, 'the spans could not be sent')
  api.diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const tracer = provider.getTracer('evenhand')
  start = ({ name, kind, cause, links = [] }) => {
    const parent = contextOf(cause)
    const context = parent ? api.trace.setSpanContext(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT
    nextTraceId = traceIdOf(cause)
    const linked = links.map(contextOf).filter((each) => each !== undefined)
    const options = { kind: kinds[kind], links: linked.map((each): Link => ({ context: each })) }
    return opened(tracer.startSpan(name, options, context), cause)
  }
  return {
    async close() {
      start = undefined
      const sent = provider
        .shutdown()
        .catch((err: unknown) => log.warn({ err }, 'the last spans could not be sent'))
      // A collector that is away must not hold up the end of a process.
      await Promise.race([sent, sleep(3000, undefined, { ref: false })])
      api.diag.disable()
    },
  }
}

/** Begins a span; undefined where none are sent. */
export function beginSpan(options: Parameters<Start>[0]): OpenSpan | undefined {
  return start?.(options)
}

/** Runs `work` under a span of its own, which carries on the trace of `cause`, or else of the context. */
export async function inSpan<T>(
  ctx: Ctx,
  {
    cause = ctx.cause ?? newCause(),
    ...named
  }: { name: string; kind: keyof typeof kinds; cause?: Cause | undefined; links?: Cause[] },
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const span = beginSpan({ ...named, cause })
  if (!span) return work(ctx)
  try {
    const result = await work({ ...ctx, cause: span.cause })
    span.end({})
    return result
  } catch (error) {
    span.end({ error })
    throw error
  }
}

/** For what no request led to, such as a job on its schedule. */
function newCause(): Cause {
  return { requestId: randomUUID() }
}

/** A cause as it is stored with a job or a mail: the request's id, and the span if there is one. */
export function textOfCause({ requestId, span }: Cause): string {
  return span === undefined ? requestId : `${requestId}/${span}`
}

/** Undefined for what is none. */
export function readCause(text: unknown): Cause | undefined {
  const read = typeof text === 'string' ? /^([0-9a-f-]{36})(?:\/([0-9a-f]{16}))?$/.exec(text) : null
  if (!read?.[1]) return undefined
  return { requestId: read[1], ...(read[2] === undefined ? {} : { span: read[2] }) }
}

function traceIdOf({ requestId }: Cause) {
  return requestId.replaceAll('-', '')
}

function contextOf(cause: Cause): SpanContext | undefined {
  if (cause.span === undefined) return undefined
  return { traceId: traceIdOf(cause), spanId: cause.span, traceFlags: 1, isRemote: true }
}

/** What is not sampled leads to nothing that is. */
function opened(span: Span, { requestId }: Cause): OpenSpan {
  const { spanId, traceFlags } = span.spanContext()
  return {
    cause: { requestId, ...(traceFlags & 1 ? { span: spanId } : {}) },
    end({ name, attributes = {}, error, failed = error !== undefined }) {
      if (name !== undefined) span.updateName(name)
      span.setAttributes(attributes)
      // Messages may hold values of rows, which the log leaves out; here the kind of the error is enough.
      if (error instanceof Error) span.setAttribute('error.type', error.name)
      if (failed) span.setStatus({ code: 2 })
      span.end()
    },
  }
}
