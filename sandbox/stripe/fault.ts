// An answer that is an error, in the partner's shape.
type FaultDetails = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
}

export class Fault extends Error {
  readonly status: 400 | 401 | 402 | 404 | 409 | 429 | 500 | 502 | 503
  readonly details: FaultDetails

  constructor(status: Fault['status'], details: FaultDetails) {
    super(details.message)
    this.status = status
    this.details = details
  }
}

export function refuse(message: string, more: { code?: string; param?: string } = {}): Fault {
  return new Fault(400, { type: 'invalid_request_error', message, ...more })
}

export function missing(noun: string, id: string, param = 'id'): Fault {
  const message = `No such ${noun}: '${id}'`
  return new Fault(404, { type: 'invalid_request_error', code: 'resource_missing', message, param })
}
