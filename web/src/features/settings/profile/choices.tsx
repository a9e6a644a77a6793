import { type Preferences, useChoose } from '@/api/settings/profile'
import { FormFault } from '@/components/form-fault'
import { Labelled, NativeSelect } from '@/components/input'
import { Switch } from '@/components/switch'
import { timeZones } from '@/lib/time-zones'
import { ThemeChoice } from './theme-choice'

/** Each counts at once: there is nothing to save. */
export function Choices({ preferences }: { preferences: Preferences }) {
  const choose = useChoose()
  return (
    <div className="flex max-w-md flex-col gap-5">
      <FormFault error={choose.error} />
      <ThemeChoice theme={preferences.theme} onChange={theme => choose.mutate({ theme })} />
      <Switch
        label="Keyboard shortcuts"
        help="Single keys such as J, K and A do something in the inbox. Switch them off if your tools send keys of their own; those with Ctrl or ⌘ stay."
        checked={preferences.shortcuts}
        onChange={shortcuts => choose.mutate({ shortcuts })}
      />
      <Labelled label="Time zone" help="Insights count days and hours in it, and mails come by its clocks.">
        {ties => (
          <NativeSelect
            {...ties}
            value={preferences.timeZone ?? ''}
            onChange={event => choose.mutate({ timeZone: event.target.value || null })}
          >
            <option value="">This browser's ({here})</option>
            {timeZones(preferences.timeZone).map(zone => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </NativeSelect>
        )}
      </Labelled>
    </div>
  )
}

const here = Intl.DateTimeFormat().resolvedOptions().timeZone
