import { useState } from 'react'
import { type Preferences, useChoose } from '@/api/settings/profile'
import { FormFault } from '@/components/form-fault'
import { Labelled, NativeSelect } from '@/components/input'
import { Notice } from '@/components/status'
import { Switch } from '@/components/switch'

const MAILS: readonly { id: Preferences['email']; label: string }[] = [
  { id: 'each', label: 'For each review, at once' },
  { id: 'hourly', label: 'Together, once an hour' },
  { id: 'daily', label: 'Together, once a day' },
  { id: 'none', label: 'None' },
]

export function Notifications({ preferences }: { preferences: Preferences }) {
  const choose = useChoose()
  const [refused, setRefused] = useState(false)
  const supported = 'Notification' in window
  const choosePopups = async (wanted: boolean) => {
    const granted = !wanted || (await Notification.requestPermission()) === 'granted'
    setRefused(!granted)
    if (granted) choose.mutate({ browserNotifications: wanted })
  }
  return (
    <div className="flex max-w-md flex-col gap-5">
      <FormFault error={choose.error} />
      <Notice>
        Neither is sent yet: mails and browser notifications come with a later version. What you choose now
        counts from then on.
      </Notice>
      <Labelled label="Mails about reviews that wait for you">
        {ties => (
          <NativeSelect
            {...ties}
            value={preferences.email}
            onChange={event => choose.mutate({ email: event.target.value as Preferences['email'] })}
          >
            {MAILS.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Labelled>
      <Switch
        label="Browser notifications"
        help={
          supported
            ? 'While the inbox is open in a tab. The browser asks you first.'
            : 'This browser has none.'
        }
        disabled={!supported}
        checked={preferences.browserNotifications}
        onChange={choosePopups}
      />
      {refused && (
        <div role="alert">
          <Notice tone="warn">
            This browser does not allow notifications of this page. Allow them in its settings for this site,
            then try again.
          </Notice>
        </div>
      )}
    </div>
  )
}
