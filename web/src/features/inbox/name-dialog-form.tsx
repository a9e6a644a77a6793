import { t } from '@lingui/core/macro'
import { type FormEvent, useId, useState } from 'react'
import { type SavedView, useSaveView, useUpdateView } from '@/api/inbox'
import type { ReviewFilters } from '@/api/review-filters'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Input, LabeledField } from '@/components/input'

export type NameDialogProps = { onClose: () => void; onSaved?: (view: SavedView) => void } & (
  | { view: SavedView }
  | { filters: ReviewFilters }
)

/** Asks for the name of a saved view: a new one with these filters, or an existing one. */
export default function NameDialogForm({ onClose, onSaved, ...about }: NameDialogProps) {
  const known = 'view' in about ? about.view : null
  const [name, setName] = useState(known?.name ?? '')
  const save = useSaveView()
  const change = useUpdateView(known?.viewId ?? '')
  const form = useId()
  const error = save.error ?? change.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const done = {
      onSuccess: (view: SavedView) => {
        onSaved?.(view)
        onClose()
      },
    }
    if ('filters' in about) save.mutate({ name: name.trim(), filters: about.filters }, done)
    else change.mutate({ name: name.trim() }, done)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={known ? t`Rename view` : t`Save view`}
      description={known ? undefined : t`Saves these filters as a view in your sidebar. Only you can see it.`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!name.trim()}
            busy={save.isPending || change.isPending}
          >
            {known ? t`Rename` : t`Save view`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <LabeledField label={t`Name`} error={error?.message}>
          {attributes => (
            <Input
              {...attributes}
              value={name}
              onChange={event => setName(event.target.value)}
              maxLength={100}
              autoComplete="off"
            />
          )}
        </LabeledField>
      </form>
    </Dialog>
  )
}
