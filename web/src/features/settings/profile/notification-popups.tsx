import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type Preferences, useUpdatePreferences } from '@/api/settings/profile'
import { FormError } from '@/components/form-error'
import { Notice } from '@/components/status'
import { Switch } from '@/components/switch'

/** Browser notifications. The choice belongs to the member, the permission to each browser. */
export function NotificationPopups({ preferences }: { preferences: Preferences }) {
  const choose = useUpdatePreferences()
  const supported = 'Notification' in window
  const [permission, setPermission] = useState(supported ? Notification.permission : 'denied')
  // A switch that can't be turned on says why, but only once someone tries.
  const [tried, setTried] = useState(false)
  const ask = async () => {
    const answer = await Notification.requestPermission()
    setPermission(answer)
    setTried(true)
    return answer === 'granted'
  }
  const change = async (wanted: boolean) => {
    if (!wanted || (await ask())) choose.mutate({ browserNotifications: wanted })
  }
  const isOn = preferences.browserNotifications
  return (
    <div className="flex flex-col gap-2">
      <FormError error={choose.error} />
      <Switch
        label={t`Browser notifications`}
        help={
          supported
            ? t`Get notified while Signoff is open in a background tab. Reviews that arrive together are grouped.`
            : t`This browser doesn't support notifications.`
        }
        disabled={!supported}
        checked={isOn}
        onChange={change}
      />
      {supported && isOn && permission === 'default' && (
        <Notice tone="warn">
          <Trans>
            Notifications aren't allowed in this browser yet.{' '}
            <button type="button" className="underline underline-offset-2" onClick={ask}>
              Allow notifications
            </button>
          </Trans>
        </Notice>
      )}
      {supported && (isOn || tried) && permission === 'denied' && (
        <div role="alert">
          <Notice tone="warn">
            {t`Your browser blocks notifications from this site. Allow them in the browser's site settings, then try again.`}
          </Notice>
        </div>
      )}
    </div>
  )
}
