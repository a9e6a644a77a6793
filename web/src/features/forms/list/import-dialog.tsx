import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { ApiError } from '@/api/client'
import { useImportForm } from '@/api/forms/mutations'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { LabeledField } from '@/components/input'
import { Notice } from '@/components/status'
import { getNotReviewTypeText, readImportFile } from './import-file'

/** Imports a review type from a file that was exported here or in another workspace. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [made, setMade] = useState<{ formId: string; notes: string[] } | null>(null)
  const bring = useImportForm()
  // If it's the wrong kind of file, every other error would only confuse.
  const isOtherKind =
    bring.error instanceof ApiError && bring.error.errors.some(each => each.code === 'unknown_format')
  const open = (formId: string) => void navigate({ to: '/review-types/$formId', params: { formId } })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (file === null) {
      setError(t`Choose a file.`)
      return
    }
    const chosen = await readImportFile(file)
    bring.reset()
    setError(chosen.error)
    if (chosen.error !== null) return
    bring.mutate(chosen.definition, {
      onSuccess: ({ form, notes }) => {
        if (notes.length > 0) setMade({ formId: form.formId, notes })
        else open(form.formId)
      },
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Import review type`}
      description={t`Choose a JSON file exported from Signoff.`}
      actions={
        made ? (
          <Button kind="primary" onClick={() => open(made.formId)}>
            {t`Open review type`}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t`Cancel`}</Button>
            <Button kind="primary" type="submit" form={id} busy={bring.isPending}>
              {t`Import`}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <Notice>
          <p className="font-medium">{t`Review type imported. Check the following:`}</p>
          <ul className="mt-1 list-disc ps-5">
            {made.notes.map(note => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      ) : (
        <form id={id} onSubmit={event => void submit(event)} className="flex flex-col gap-3">
          <FormError error={isOtherKind ? null : bring.error} />
          <LabeledField label={t`File`} error={error ?? (isOtherKind ? getNotReviewTypeText() : null)}>
            {attributes => (
              <input
                {...attributes}
                type="file"
                accept="application/json,.json"
                className="min-w-0 max-w-full text-sm file:me-3 file:rounded-md file:border file:border-line file:bg-surface file:px-2.5 file:py-1 file:font-medium file:text-ink pointer-coarse:file:py-2.5"
                // A browser reports no change when the same file is chosen again, even if its content changed.
                onClick={event => {
                  event.currentTarget.value = ''
                  setFile(null)
                }}
                onChange={event => {
                  setFile(event.target.files?.[0] ?? null)
                  setError(null)
                  bring.reset()
                }}
              />
            )}
          </LabeledField>
        </form>
      )}
    </Dialog>
  )
}
