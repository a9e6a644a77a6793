import { useState } from 'react'
import { type Preferences, useChoose } from '@/api/settings/profile'
import { FormFault } from '@/components/form-fault'
import { Notice } from '@/components/status'
import { Switch } from '@/components/switch'

/** Browser notifications. The choice goes with the person, the permission with each browser. */
export function NotificationPopups({ preferences }: { preferences: Preferences }) {
  const choose = useChoose()
  const supported = 'Notification' in window
  const [permission, setPermission] = useState(supported ? Notification.permission : 'denied')
  const ask = async () => {
    const answer = await Notification.requestPermission()
    setPermission(answer)
    return answer === 'granted'
  }
  const change = async (wanted: boolean) => {
    if (!wanted || (await ask())) choose.mutate({ browserNotifications: wanted })
  }
  const isOn = preferences.browserNotifications
  return (
    <div className="flex flex-col gap-2">
      <FormFault error={choose.error} />
      <Switch
        label="Browser notifications"
        help={
          supported
            ? 'While the inbox is open in a tab that you are not looking at. Several reviews become one notification.'
            : 'This browser has none.'
        }
        disabled={!supported}
        checked={isOn}
        onChange={change}
      />
      {supported && isOn && permission === 'default' && (
        <Notice tone="warn">
          This browser was not asked yet.{' '}
          <button type="button" className="underline underline-offset-2" onClick={ask}>
            Allow them here
          </button>
        </Notice>
      )}
      {supported && permission === 'denied' && (
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
