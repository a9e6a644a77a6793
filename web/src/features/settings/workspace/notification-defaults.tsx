import { t } from '@lingui/core/macro'
import { type Account, useUpdateAccount } from '@/api/settings/account'
import { FormFault } from '@/components/form-fault'
import { Labelled, NativeSelect } from '@/components/input'
import { timeZones } from '@/lib/time-zones'
import { HOURS, hourWords, MAIL_CHOICES, MAIL_WORDS, type MailChoice } from '../notification-words'

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
      <FormFault error={save.error} />
      <Labelled label={t`Emails about pending reviews`}>
        {ties => (
          <NativeSelect
            {...ties}
            value={email}
            onChange={({ target }) => change({ email: target.value as MailChoice })}
          >
            {MAIL_CHOICES.map(choice => (
              <option key={choice} value={choice}>
                {MAIL_WORDS[choice]}
              </option>
            ))}
          </NativeSelect>
        )}
      </Labelled>
      <div className="flex flex-wrap gap-4">
        <Labelled label={t`Daily digest time`} className="w-40">
          {ties => (
            <NativeSelect
              {...ties}
              value={digestHour}
              onChange={({ target }) => change({ digestHour: Number(target.value) })}
            >
              {HOURS.map(hour => (
                <option key={hour} value={hour}>
                  {hourWords(hour)}
                </option>
              ))}
            </NativeSelect>
          )}
        </Labelled>
        <Labelled label={t`Time zone`} className="min-w-0 flex-1 basis-48">
          {ties => (
            <NativeSelect
              {...ties}
              value={timeZone ?? ''}
              onChange={({ target }) => change({ timeZone: target.value || null })}
            >
              <option value="">UTC</option>
              {timeZones(timeZone)
                .filter(zone => zone !== 'UTC')
                .map(zone => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ))}
            </NativeSelect>
          )}
        </Labelled>
      </div>
    </div>
  )
}
