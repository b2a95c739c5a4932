/**
 * Like `fetch`, but reports the progress of the upload from 0 to 1. Uses XMLHttpRequest, since `fetch` does
 * not report upload progress.
 */
export async function fetchWithProgress(
  request: Request,
  onProgress: (share: number) => void,
): Promise<Response> {
  const body = await request.blob()
  const upload = new XMLHttpRequest()
  upload.open(request.method, request.url)
  upload.responseType = 'blob'
  for (const [name, value] of request.headers) upload.setRequestHeader(name, value)
  upload.upload.onprogress = ({ loaded, total, lengthComputable }) => {
    if (lengthComputable && total > 0) onProgress(loaded / total)
  }
  return new Promise((resolve, reject) => {
    upload.onload = () =>
      resolve(new Response(upload.response, { status: upload.status, headers: headersOf(upload) }))
    // The same error as from `fetch`, so that callers handle it the same way.
    upload.onerror = () => reject(new TypeError('The upload did not reach the server.'))
    upload.send(body)
  })
}

function headersOf(upload: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of upload.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
