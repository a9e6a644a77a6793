import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { nextMailQuery, type Preferences, useUpdatePreferences } from '@/api/settings/profile'
import { FormError } from '@/components/form-error'
import { LabeledField, NativeSelect } from '@/components/input'
import {
  formatHour,
  getNextMailText,
  HOURS,
  MAIL_CHOICES,
  MAIL_LABELS,
  type MailChoice,
} from '../notification-labels'
import { NotificationAgents } from './notification-agents'

const deviceTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const DEFAULT = 'default'

/** Which emails about reviews the member gets. Each choice takes effect immediately. */
export function NotificationMails({ preferences }: { preferences: Preferences }) {
  const choose = useUpdatePreferences()
  const next = useQuery(nextMailQuery)
  const daily = preferences.email === 'daily' || Object.values(preferences.agents).includes('daily')
  return (
    <div className="flex flex-col gap-5">
      <FormError error={choose.error} />
      <LabeledField label={t`Email me about pending reviews`}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={preferences.emailIsDefault ? DEFAULT : preferences.email}
            onChange={({ target }) =>
              choose.mutate(
                target.value === DEFAULT
                  ? { email: null }
                  : { email: target.value as MailChoice, emailIsDefault: false },
              )
            }
          >
            <option value={DEFAULT}>
              {preferences.emailIsDefault
                ? t`Workspace default (${{ choice: MAIL_LABELS[preferences.email] }})`
                : t`Workspace default`}
            </option>
            {MAIL_CHOICES.map(choice => (
              <option key={choice} value={choice}>
                {MAIL_LABELS[choice]}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      {daily && (
        <LabeledField label={t`Daily digest time`}>
          {attributes => (
            <NativeSelect
              {...attributes}
              value={preferences.digestHourIsDefault ? DEFAULT : preferences.digestHour}
              onChange={({ target }) =>
                choose.mutate(
                  target.value === DEFAULT
                    ? { digestHour: null }
                    : { digestHour: Number(target.value), digestHourIsDefault: false },
                )
              }
            >
              <option value={DEFAULT}>
                {preferences.digestHourIsDefault
                  ? t`Workspace default (${{ choice: formatHour(preferences.digestHour) }})`
                  : t`Workspace default`}
              </option>
              {HOURS.map(hour => (
                <option key={hour} value={hour}>
                  {formatHour(hour)}
                </option>
              ))}
            </NativeSelect>
          )}
        </LabeledField>
      )}
      <NotificationAgents preferences={preferences} onChoose={agents => choose.mutate({ agents })} />
      <p className="text-muted text-sm" aria-live="polite">
        {next.data && getNextMailText(next.data)}
        {next.data?.digestAt &&
          next.data.timeZone !== deviceTimeZone &&
          (preferences.timeZone ?? null) === null && (
            <>
              {' '}
              <button
                type="button"
                className="text-accent underline underline-offset-2"
                onClick={() => choose.mutate({ timeZone: deviceTimeZone })}
              >
                {t`Use browser time zone (${{ timeZone: deviceTimeZone.replaceAll('_', ' ') }})`}
              </button>
            </>
          )}
      </p>
    </div>
  )
}
