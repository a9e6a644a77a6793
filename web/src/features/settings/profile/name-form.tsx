import { t } from '@lingui/core/macro'
import type { Me } from '@/api/session'
import { useUpdateProfile } from '@/api/settings/profile'
import { Input } from '@/components/input'
import { Field, Form, SaveRow, useForm } from '../form'

export function NameForm({ me }: { me: Me }) {
  const form = useForm({
    storedAs: 'profile.name',
    saved: { name: me.user.name },
    save: useUpdateProfile(),
    toBody: value => value,
  })
  return (
    <Form form={form} className="flex flex-col gap-3">
      <Field form={form} name="name" label={t`Name`}>
        {attributes => <Input {...attributes} autoComplete="name" required maxLength={200} />}
      </Field>
      <SaveRow form={form} label={t`Save name`} />
    </Form>
  )
}
