import { useMe } from '@/api/session'
import { Part, SectionFrame } from '../section'
import { AbsencePart } from './absence-part'
import { Choices } from './choices'
import { EmailForm } from './email-form'
import { NameForm } from './name-form'
import { Notifications } from './notifications'
import { PasswordChange } from './password-change'
import { Sessions } from './sessions'

export default function ProfileSection() {
  const me = useMe()
  return (
    <SectionFrame title="Profile" about="About you, in this workspace.">
      <Part title="You" about={`Your role here is ${me.role}. ${groupWords(me.groups)}`}>
        <div className="flex max-w-md flex-col gap-6">
          <NameForm me={me} />
          <EmailForm me={me} />
        </div>
      </Part>
      <Part
        title="Password"
        about={
          me.hasPassword
            ? 'A new password signs you out everywhere else.'
            : 'You have none yet. With one you can sign in without a link.'
        }
      >
        <PasswordChange me={me} />
      </Part>
      <AbsencePart me={me} />
      <Part title="Look and keyboard">
        <Choices preferences={me.preferences} />
      </Part>
      <Part title="Notifications">
        <Notifications preferences={me.preferences} />
      </Part>
      <Sessions />
    </SectionFrame>
  )
}

const groupWords = (groups: readonly { name: string }[]) =>
  groups.length ? `You are in ${groups.map(group => group.name).join(', ')}.` : 'You are in no group.'
