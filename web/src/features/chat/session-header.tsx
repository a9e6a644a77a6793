import { plural, t } from '@lingui/core/macro'
import { ArrowLeft } from 'lucide-react'
import { useMay } from '@/api/session'
import { type Session, useRenameSession } from '@/api/sessions'
import { Avatar } from '@/components/avatar'
import { IconButton } from '@/components/button'
import { InlineName } from '@/components/inline-name'
import { formatList, formatNumber } from '@/lib/i18n'
import { getChatTitle } from './names'

const MAX_SHOWN = 4

/** The session's title, its agent, and who takes part. */
export function SessionHeader({ session, onClose }: { session: Session; onClose: () => void }) {
  const mayName = useMay('decide')
  const naming = useRenameSession(session.sessionId)
  return (
    <header className="flex min-h-14 items-center gap-1 border-line border-b px-4 py-2 max-md:px-1 md:px-6">
      <IconButton
        label={t`Back to list`}
        icon={<ArrowLeft />}
        size="large"
        className="md:hidden"
        onClick={onClose}
      />
      <div className="min-w-0 flex-1">
        <InlineName
          title={getChatTitle(session)}
          name={session.name}
          label={t`Rename chat`}
          fieldLabel={t`Chat name`}
          placeholder={session.agentName}
          mayName={mayName}
          naming={naming}
          className="truncate text-lg"
        />
        <p className="truncate text-muted text-sm">{getFacts(session).join(' · ')}</p>
      </div>
      <Participants session={session} />
    </header>
  )
}

/**
 * The facts below the title: the agent, unless the title is its name, and how many messages and open reviews there are.
 */
function getFacts({ name, agentName, messageCount, openReviews }: Session): string[] {
  return [
    ...(name ? [agentName] : []),
    t`${plural({ count: messageCount }, { one: '# message', other: '# messages' })}`,
    ...(openReviews > 0
      ? [t`${plural({ count: openReviews }, { one: '# pending review', other: '# pending reviews' })}`]
      : []),
  ]
}

function Participants({ session }: { session: Session }) {
  const people = session.participants
  if (people.length === 0) return null
  const names = formatList(people.map(person => person.name))
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-muted text-sm max-md:pe-3" title={names}>
      <span className="-space-x-1.5 flex">
        {people.slice(0, MAX_SHOWN).map(person => (
          <Avatar key={person.userId} name={person.name} className="ring-2 ring-canvas" />
        ))}
      </span>
      {people.length > MAX_SHOWN && (
        <span aria-hidden="true">{t`+${{ count: formatNumber(people.length - MAX_SHOWN) }}`}</span>
      )}
      <span className="sr-only">{t`Participants: ${names}`}</span>
    </span>
  )
}
