import type { Preferences } from '@/api/settings/profile'
import { NotificationMails } from './notification-mails'
import { NotificationPopups } from './notification-popups'

export function Notifications({ preferences }: { preferences: Preferences }) {
  return (
    <div className="flex max-w-md flex-col gap-6">
      <NotificationMails preferences={preferences} />
      <NotificationPopups preferences={preferences} />
    </div>
  )
}
