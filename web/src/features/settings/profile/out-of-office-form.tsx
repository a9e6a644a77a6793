import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useMemo } from 'react'
import { type Absence, useUpdateAbsence } from '@/api/assignment'
import { getFieldError } from '@/api/errors'
import type { Me } from '@/api/session'
import { peopleQuery, type User } from '@/api/settings/people'
import { FormError } from '@/components/form-error'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import { formatDateTime, getUtcOffset, toLocalInput } from '@/lib/time'
import { SaveRow } from '../save-row'
import { useDraft } from '../use-draft'

const PATHS = ['from', 'until', 'delegate']

/** Times are in the time zone of the member's profile. */
export function OutOfOfficeForm({ me, absence }: { me: Me; absence: Absence | null }) {
  const saved = useMemo(
    () => ({
      from: absence ? toLocalInput(absence.from) : '',
      until: absence ? toLocalInput(absence.until) : '',
      delegate: absence?.delegate ?? '',
    }),
    [absence],
  )
  const draft = useDraft('profile.absence', saved)
  const { from, until, delegate } = draft.value
  const change = useUpdateAbsence()
  const people = useQuery(peopleQuery).data
  const possible = people?.filter(person => canDelegate(person, me)) ?? []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const absence = { from: withUtcOffset(from), until: withUtcOffset(until), delegate }
    const sent = draft.value
    change.mutate(absence, { onSuccess: () => draft.forgetSaved(sent) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <FormError error={change.error} paths={PATHS} />
      <div className="grid gap-3 sm:grid-cols-2">
        <LabeledField
          label={t({ message: 'Starts', comment: 'Date and time when out of office starts' })}
          error={getFieldError(change.error, 'from')}
        >
          {attributes => (
            <Input
              {...attributes}
              type="datetime-local"
              required
              value={from}
              onChange={event => draft.change({ from: event.target.value })}
            />
          )}
        </LabeledField>
        <LabeledField
          label={t({ message: 'Ends', comment: 'Date and time when out of office ends' })}
          error={getFieldError(change.error, 'until')}
        >
          {attributes => (
            <Input
              {...attributes}
              type="datetime-local"
              required
              {...(from && { min: from })}
              value={until}
              onChange={event => draft.change({ until: event.target.value })}
            />
          )}
        </LabeledField>
      </div>
      <LabeledField
        label={t({ message: 'Delegate', comment: 'Noun: who decides for someone who is out of office' })}
        help={t`Choose someone who can decide reviews. If they're out of office too, their delegate doesn't take over.`}
        error={getFieldError(change.error, 'delegate')}
      >
        {attributes => (
          <NativeSelect
            {...attributes}
            required
            value={delegate}
            onChange={event => draft.change({ delegate: event.target.value })}
          >
            <option value="">{t`Select…`}</option>
            {delegate && !possible.some(person => person.email === delegate) && (
              <option value={delegate}>{delegate}</option>
            )}
            {possible.map(person => (
              <option key={person.userId} value={person.email}>
                {getDelegateLabel(person)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <SaveRow
        label={absence ? t`Save` : t`Turn on out of office`}
        dirty={draft.dirty}
        saving={change.isPending}
        saved={change.isSuccess && absence !== null}
        onForget={draft.forget}
      />
    </form>
  )
}

const canDelegate = (person: User, me: Me): boolean =>
  !person.disabled && person.role !== 'viewer' && person.userId !== me.user.userId

function getDelegateLabel({ name, email, absence }: User): string {
  if (!absence) return `${name} (${email})`
  const from = formatDateTime(absence.from)
  const until = formatDateTime(absence.until)
  return t`${name} (${email}), out of office ${from} – ${until}`
}

/** The local time with its offset, so that it means the same time everywhere. */
const withUtcOffset = (wall: string): string => (wall ? `${wall}:00${getUtcOffset(wall)}` : wall)
