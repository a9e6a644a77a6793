import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OpenSession, sessionsQuery, useEndOtherSessions, useEndSession } from '@/api/settings/sessions'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Badge, Failure, Spinner } from '@/components/status'
import { Time } from '@/components/time'
import { Part } from '../section'
import { browserName } from './user-agent'

/** Where the person is signed in. Any of it can be ended from here. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const endOthers = useEndOtherSessions()
  const [asking, setAsking] = useState(false)
  const others = sessions.data?.filter(session => !session.current).length ?? 0
  return (
    <Part
      title="Where you are signed in"
      actions={
        others > 0 && (
          <Button kind="danger" size="small" onClick={() => setAsking(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <FormFault error={endOthers.error} />
      {sessions.isPending && <Spinner />}
      {sessions.isError && <Failure error={sessions.error} onRetry={() => sessions.refetch()} />}
      <ul className="max-w-2xl">
        {sessions.data?.map(session => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere else?"
        confirm="Sign out"
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        {others === 1 ? 'One other browser is' : `${others} other browsers are`} signed in as you. They have
        to sign in again; this one stays.
      </Confirm>
    </Part>
  )
}

function SessionRow({ session }: { session: OpenSession }) {
  const end = useEndSession()
  const name = browserName(session.userAgent)
  return (
    <li className="flex min-h-12 items-center gap-4 border-line border-b py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="truncate font-medium" title={session.userAgent ?? undefined}>
            {name}
          </span>
          {session.current && <Badge tone="good">This browser</Badge>}
        </p>
        <p className="text-muted text-sm">
          {session.ip ?? 'Unknown address'} · last seen <Time at={session.lastSeenAt} /> · signed in{' '}
          <Time at={session.createdAt} />
        </p>
        <FormFault error={end.error} />
      </div>
      {!session.current && (
        <Button
          size="small"
          className="max-md:h-11"
          aria-label={`Sign out ${name}`}
          busy={end.isPending}
          onClick={() => end.mutate(session.sessionId)}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
