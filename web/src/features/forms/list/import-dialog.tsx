import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { useImportForm } from '@/api/forms/mutations'
import type { JsonValue } from '@/api/forms/types'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Labelled } from '@/components/input'
import { Notice } from '@/components/status'

/** A review type from a file that was exported here or in another workspace. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [made, setMade] = useState<{ formId: string; notes: string[] } | null>(null)
  const bring = useImportForm()
  const open = (formId: string) => void navigate({ to: '/review-types/$formId', params: { formId } })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (file === null) {
      setFault('Choose a file first.')
      return
    }
    let read: JsonValue
    try {
      read = JSON.parse(await file.text()) as JsonValue
    } catch {
      setFault('This file holds no JSON.')
      return
    }
    setFault(null)
    bring.mutate(read, {
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
      title="Import a review type"
      description="A file that was made with Export."
      actions={
        made ? (
          <Button kind="primary" onClick={() => open(made.formId)}>
            Open it
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" form={id} busy={bring.isPending}>
              Import
            </Button>
          </>
        )
      }
    >
      {made ? (
        <Notice>
          <p className="font-medium">It is imported. Something to know:</p>
          <ul className="mt-1 list-disc pl-5">
            {made.notes.map(note => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      ) : (
        <form id={id} onSubmit={event => void submit(event)} className="flex flex-col gap-3">
          <FormFault error={bring.error} />
          <Labelled label="File" error={fault}>
            {ties => (
              <input
                {...ties}
                type="file"
                accept="application/json,.json"
                onChange={event => setFile(event.target.files?.[0] ?? null)}
              />
            )}
          </Labelled>
        </form>
      )}
    </Dialog>
  )
}
