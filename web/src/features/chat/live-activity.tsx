import { plural, t } from '@lingui/core/macro'
import { useMe } from '@/api/session'
import type { Session } from '@/api/sessions'

/** Shows that the agent is working, or who is typing. It has its own line, so that nothing moves when it appears. */
export function LiveActivity({ session }: { session: Session }) {
  const me = useMe().user.userId
  const typing = session.typing.filter(person => person.userId !== me)
  const words = getActivityText(session, typing)
  return (
    <div
      role="status"
      className="mx-auto flex h-6 w-full max-w-4xl items-center gap-2 truncate px-4 text-muted text-sm md:px-6"
    >
      {words && (
        <>
          <PulsingDots />
          <span dir="auto" className="min-w-0 truncate">
            {words}
          </span>
        </>
      )}
    </div>
  )
}

function getActivityText(session: Session, typing: readonly { name: string }[]): string {
  const { agentName, working } = session
  if (working)
    return working.text ? t`${{ name: agentName }}: ${{ text: working.text }}` : t`${agentName} is working…`
  if (typing.length === 0) return ''
  const first = typing[0]?.name
  const second = typing[1]?.name
  return t`${plural(
    { count: typing.length },
    {
      1: `${first} is typing…`,
      2: `${first} and ${second} are typing…`,
      other: '# people are typing…',
    },
  )}`
}

function PulsingDots() {
  return (
    <span className="flex shrink-0 gap-0.5" aria-hidden="true">
      {['', '[animation-delay:150ms]', '[animation-delay:300ms]'].map(delay => (
        <span key={delay} className={`size-1 animate-pulse rounded-full bg-current ${delay}`} />
      ))}
    </span>
  )
}
