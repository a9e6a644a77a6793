import { plural, t } from '@lingui/core/macro'
import { type Me, useMe } from '@/api/session'
import { formatList } from '@/lib/i18n'
import { getRoleLabel } from '../people/roles'
import { Part, SectionFrame } from '../section'
import { Choices } from './choices'
import { EmailForm } from './email-form'
import { NameForm } from './name-form'
import { Notifications } from './notifications'
import { OutOfOfficeSettings } from './out-of-office-settings'
import { PasswordChange } from './password-change'
import { Sessions } from './sessions'

export default function ProfileSection() {
  const me = useMe()
  return (
    <SectionFrame title={t`Profile`} about={t`Manage your account and preferences.`}>
      <Part title={t`Account`} about={roleAndGroups(me)}>
        <div className="flex max-w-md flex-col gap-6">
          <NameForm me={me} />
          <EmailForm me={me} />
        </div>
      </Part>
      <Part
        title={t`Password`}
        about={
          me.hasPassword
            ? t`Changing your password signs you out everywhere else.`
            : t`Set a password to sign in without a link.`
        }
      >
        <PasswordChange me={me} />
      </Part>
      <OutOfOfficeSettings me={me} />
      <Part title={t`Preferences`}>
        <Choices me={me} />
      </Part>
      <Part title={t`Notifications`}>
        <Notifications preferences={me.preferences} />
      </Part>
      <Sessions />
    </SectionFrame>
  )
}

function roleAndGroups(me: Me): string {
  const role = getRoleLabel(me.role)
  if (me.groups.length === 0) return t`Your role is ${role}. You aren't in any groups.`
  const groups = formatList(me.groups.map(group => group.name))
  return plural(
    { count: me.groups.length },
    {
      one: `Your role is ${role}. You're in the ${groups} group.`,
      other: `Your role is ${role}. You're in these groups: ${groups}.`,
    },
  )
}
