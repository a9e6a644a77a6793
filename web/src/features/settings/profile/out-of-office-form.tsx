import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type Absence, useUpdateAbsence } from '@/api/assignment'
import type { Me } from '@/api/session'
import { peopleQuery, type User } from '@/api/settings/people'
import { Input, NativeSelect } from '@/components/input'
import { formatDateTime, getUtcOffset, toLocalInput } from '@/lib/time'
import { Field, Form, SaveRow, useForm } from '../form'

/** Times are in the time zone of the member's profile. */
export function OutOfOfficeForm({ me, absence }: { me: Me; absence: Absence | null }) {
  const form = useForm({
    storedAs: 'profile.absence',
    saved: {
      from: absence ? toLocalInput(absence.from) : '',
      until: absence ? toLocalInput(absence.until) : '',
      delegate: absence?.delegate ?? '',
    },
    save: useUpdateAbsence(),
    toBody: ({ from, until, delegate }) => ({
      from: withUtcOffset(from),
      until: withUtcOffset(until),
      delegate,
    }),
  })
  const { from, delegate } = form.value
  const people = useQuery(peopleQuery).data
  const possible = people?.filter(person => canDelegate(person, me)) ?? []
  return (
    <Form form={form} className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          form={form}
          name="from"
          label={t({ message: 'Starts', comment: 'Date and time when out of office starts' })}
        >
          {attributes => <Input {...attributes} type="datetime-local" required />}
        </Field>
        <Field
          form={form}
          name="until"
          label={t({ message: 'Ends', comment: 'Date and time when out of office ends' })}
        >
          {attributes => (
            <Input {...attributes} type="datetime-local" required {...(from && { min: from })} />
          )}
        </Field>
      </div>
      <Field
        form={form}
        name="delegate"
        label={t({ message: 'Delegate', comment: 'Noun: who decides for someone who is out of office' })}
        help={t`Choose someone who can decide reviews. If they're out of office too, their delegate doesn't take over.`}
      >
        {attributes => (
          <NativeSelect {...attributes} required>
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
      </Field>
      <SaveRow
        form={form}
        label={absence ? t`Save` : t`Turn on out of office`}
        saved={form.saved && absence !== null}
      />
    </Form>
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
