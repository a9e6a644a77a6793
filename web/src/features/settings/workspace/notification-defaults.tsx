import { t } from '@lingui/core/macro'
import { type Account, useUpdateAccount } from '@/api/settings/account'
import { FormError } from '@/components/form-error'
import { LabeledField, NativeSelect } from '@/components/input'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { formatHour, HOURS, MAIL_CHOICES, MAIL_LABELS, type MailChoice } from '../notification-labels'

/** For members who haven't chosen in their profile. Each choice takes effect immediately. */
export function NotificationDefaults({ account }: { account: Account }) {
  const save = useUpdateAccount()
  // The latest choice is shown while it's being saved.
  const { email, digestHour, timeZone } = {
    ...account.notificationDefaults,
    ...(save.isPending && save.variables.notificationDefaults),
  }
  const change = (notificationDefaults: Partial<Account['notificationDefaults']>) =>
    save.mutate({ notificationDefaults })
  return (
    <div className="flex max-w-md flex-col gap-5">
      <FormError error={save.error} />
      <LabeledField label={t`Emails about pending reviews`}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={email}
            onChange={({ target }) => change({ email: target.value as MailChoice })}
          >
            {MAIL_CHOICES.map(choice => (
              <option key={choice} value={choice}>
                {MAIL_LABELS[choice]}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <div className="flex flex-wrap gap-4">
        <LabeledField label={t`Daily digest time`} className="w-40">
          {attributes => (
            <NativeSelect
              {...attributes}
              value={digestHour}
              onChange={({ target }) => change({ digestHour: Number(target.value) })}
            >
              {HOURS.map(hour => (
                <option key={hour} value={hour}>
                  {formatHour(hour)}
                </option>
              ))}
            </NativeSelect>
          )}
        </LabeledField>
        <LabeledField label={t`Time zone`} className="min-w-0 flex-1 basis-48">
          {attributes => (
            <TimeZoneSelect
              attributes={attributes}
              value={timeZone ?? null}
              onChange={chosen => change({ timeZone: chosen })}
              standard="UTC"
            />
          )}
        </LabeledField>
      </div>
    </div>
  )
}
