import { FileText, UploadCloud, X } from 'lucide-react'
import { useState } from 'react'
import { useDropzone } from 'react-dropzone'
import type { FileError } from 'react-dropzone'
import { useControl, useField } from '../form-context.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { isOfItsType } from './file-content.ts'
import { FilePicture } from './file-picture.tsx'
import { IconButton } from './icon-button.tsx'
import { ProgressBar } from './progress-bar.tsx'

type FileDropProps = {
  /** Media types with their file extensions, for example `{ 'image/png': ['.png'] }`. */
  accept: Record<string, string[]>
  /** The accepted files in words, for example 'JPG, PNG or PDF, under 2 MB'. */
  hint: string
  /** In bytes. A file of this size or larger is refused. */
  below: number
  value?: File | null
  onValueChange?: (file: File | null) => void
  /** The progress of the upload, from 0 to 1; null or absent without an upload. */
  progress?: number | null
  /** The stored picture, shown until a new one is chosen. */
  storedUrl?: string | null
  /** Messages for a refused file, instead of the default ones. */
  refusals?: { kind: string; size: string }
  /** Its accessible name, if no `Field` gives it one. */
  label?: string
  disabled?: boolean
}

export const proofFiles = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'application/pdf': ['.pdf'],
}

/** An input for one file, dropped, pasted or chosen. Shows the file and the progress of its upload. */
export function FileDrop({
  accept,
  hint,
  below,
  value,
  onValueChange,
  progress = null,
  storedUrl,
  refusals,
  label,
  disabled = false,
}: FileDropProps) {
  const field = useField()
  const [file, setFile] = useControl<File | null>({ value, onValueChange }, null)
  const [problem, setProblem] = useState<string | null>(null)
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    accept,
    maxSize: below - 1,
    multiple: false,
    noClick: true,
    noKeyboard: true,
    disabled: disabled || progress !== null,
    onDrop: (accepted, rejected) => void take(accepted[0], rejected[0]?.errors[0]),
  })

  async function take(taken: File | undefined, refused: FileError | undefined) {
    const isFit = taken !== undefined && (await isOfItsType(taken))
    const wrongType = { code: 'file-invalid-type', message: '' }
    const error = isFit ? undefined : taken ? wrongType : refused
    setProblem(taken && !error ? null : (ownMessage(error, refusals) ?? messageFor(error, hint, below)))
    if (taken && !error) setFile(taken)
  }
  const shown = file ?? (storedUrl ? 'stored' : null)
  return (
    <fieldset
      aria-label={label}
      aria-labelledby={label ? undefined : field?.labelId}
      aria-describedby={field?.describedBy}
      className="min-w-0"
    >
      <div
        {...getRootProps()}
        className={cx(
          'rounded-10 border border-dashed transition-colors',
          isDragActive ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface',
          field?.invalid && 'border-danger',
        )}
      >
        <input {...getInputProps()} style={{ display: 'none' }} aria-label={label ?? 'File'} />
        {shown ? (
          <div className="flex items-center gap-3 p-3">
            <Preview file={file} storedUrl={storedUrl ?? null} />
            <div className="min-w-0 flex-1">
              <p className="truncate text-14 font-medium text-ink">{file ? file.name : 'Current picture'}</p>
              {progress === null ? (
                <p className="text-12 text-ink-3">{file ? sizeText(file.size) : hint}</p>
              ) : (
                <ProgressBar value={progress} label={`Uploading ${file?.name ?? ''}`} className="mt-2" />
              )}
            </div>
            {progress === null && !disabled ? (
              <>
                <Button size="sm" onClick={open}>
                  Replace
                </Button>
                {file ? (
                  <IconButton size="sm" label="Remove file" icon={<X />} onClick={() => setFile(null)} />
                ) : null}
              </>
            ) : null}
          </div>
        ) : (
          <div className="flex flex-col items-center px-4 py-6 text-center">
            <UploadCloud size={20} aria-hidden="true" className="text-ink-3" />
            <p className="mt-2 text-14 text-ink-2">
              <button
                type="button"
                onClick={open}
                disabled={disabled}
                className={
                  'rounded-4 py-1 font-medium text-accent-ink ' +
                  'underline decoration-accent-line underline-offset-3 hover:decoration-current'
                }
              >
                Choose a file
              </button>
              <span className="pointer-coarse:hidden"> or drop it here</span>
            </p>
            <p className="mt-0.5 text-12 text-ink-3">{hint}</p>
          </div>
        )}
      </div>
      {problem ? (
        <p role="alert" className="mt-1 text-12 leading-5 font-medium text-danger-ink">
          {problem}
        </p>
      ) : null}
    </fieldset>
  )
}

function Preview({ file, storedUrl }: { file: File | null; storedUrl: string | null }) {
  const look = 'size-12 shrink-0 rounded-8 border border-line'
  if (file?.type.startsWith('image/')) {
    return <FilePicture file={file} alt="" className={cx(look, 'object-cover')} />
  }
  if (!file && storedUrl) return <img src={storedUrl} alt="" className={cx(look, 'object-cover')} />
  return (
    <span className={cx(look, 'flex items-center justify-center bg-sunken text-ink-3')}>
      <FileText size={20} aria-hidden="true" />
    </span>
  )
}

function ownMessage(error: FileError | undefined, refusals: FileDropProps['refusals']): string | undefined {
  if (error?.code === 'file-too-large') return refusals?.size
  if (error?.code === 'file-invalid-type') return refusals?.kind
  return undefined
}

function messageFor(error: FileError | undefined, hint: string, below: number): string {
  if (error?.code === 'file-too-large') return `This file is too large. It must be under ${sizeText(below)}.`
  if (error?.code === 'file-invalid-type') return `You can't use this type of file. Use ${hint}.`
  if (error?.code === 'too-many-files') return 'Choose one file.'
  return "We couldn't read this file. Try another one."
}

/** '640 KB', '1.8 MB' */
export function sizeText(bytes: number): string {
  if (bytes < 1_024 * 1_024) return `${Math.max(1, Math.round(bytes / 1_024))} KB`
  return `${(bytes / (1_024 * 1_024)).toFixed(1).replace(/\.0$/, '')} MB`
}
