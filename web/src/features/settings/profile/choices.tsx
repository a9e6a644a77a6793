import { t } from '@lingui/core/macro'
import type { Me } from '@/api/session'
import { useUpdatePreferences } from '@/api/settings/profile'
import { FormError } from '@/components/form-error'
import { LabeledField } from '@/components/input'
import { Switch } from '@/components/switch'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { LanguageChoice } from './language-choice'
import { ThemeChoice } from './theme-choice'

/** Each choice takes effect immediately: there is nothing to save. */
export function Choices({ me }: { me: Me }) {
  const { preferences } = me
  const choose = useUpdatePreferences()
  return (
    <div className="flex max-w-md flex-col gap-5">
      <FormError error={choose.error} />
      <ThemeChoice theme={preferences.theme} onChange={theme => choose.mutate({ theme })} />
      <Switch
        label={t`Keyboard shortcuts`}
        help={t`Use single keys such as J, K, and A in the inbox. Turn this off if they conflict with other tools. Shortcuts with Ctrl or ⌘ stay on.`}
        checked={preferences.shortcuts}
        onChange={shortcuts => choose.mutate({ shortcuts })}
      />
      <LanguageChoice me={me} />
      <LabeledField label={t`Time zone`} help={t`Used for insights and email schedules.`}>
        {attributes => (
          <TimeZoneSelect
            attributes={attributes}
            value={preferences.timeZone ?? null}
            onChange={timeZone => choose.mutate({ timeZone })}
            standard={t`Browser default (${{ timeZone: here }})`}
          />
        )}
      </LabeledField>
    </div>
  )
}

const here = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
