import { t } from '@lingui/core/macro'
import type { FormEvent } from 'react'
import { getFieldError } from '@/api/errors'
import type { Me } from '@/api/session'
import { useUpdateProfile } from '@/api/settings/profile'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { SaveRow } from '../save-row'
import { useDraft } from '../use-draft'

export function NameForm({ me }: { me: Me }) {
  const draft = useDraft('profile.name', { name: me.user.name })
  const save = useUpdateProfile()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sent = draft.value
    save.mutate(sent, { onSuccess: () => draft.forgetSaved(sent) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FormError error={save.error} paths={['name']} />
      <LabeledField label={t`Name`} error={getFieldError(save.error, 'name')}>
        {attributes => (
          <Input
            {...attributes}
            autoComplete="name"
            required
            maxLength={200}
            value={draft.value.name}
            onChange={event => draft.change({ name: event.target.value })}
          />
        )}
      </LabeledField>
      <SaveRow
        label={t`Save name`}
        dirty={draft.dirty}
        saving={save.isPending}
        saved={save.isSuccess}
        onForget={draft.forget}
      />
    </form>
  )
}
