import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type SignInSession,
  sessionsQuery,
  useEndOtherSessions,
  useEndSession,
} from '@/api/settings/sessions'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { RelativeTime } from '@/components/relative-time'
import { Badge, ErrorState, Spinner } from '@/components/status'
import { Part } from '../section'
import { getBrowserName } from './user-agent'

/** Where the member is signed in. Each session can be ended from here. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const endOthers = useEndOtherSessions()
  const [asking, setAsking] = useState(false)
  const others = sessions.data?.filter(session => !session.current).length ?? 0
  return (
    <Part
      title={t`Active sessions`}
      actions={
        others > 0 && (
          <Button kind="danger" size="small" onClick={() => setAsking(true)}>
            {t`Sign out everywhere else`}
          </Button>
        )
      }
    >
      <FormError error={endOthers.error} />
      {sessions.isPending && <Spinner />}
      {sessions.isError && (
        <ErrorState
          title={t`Couldn't load your active sessions`}
          error={sessions.error}
          onRetry={() => sessions.refetch()}
        />
      )}
      <ul className="max-w-2xl">
        {sessions.data?.map(session => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Sign out everywhere else?`}
        confirm={t`Sign out`}
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        {plural(
          { count: others },
          {
            one: 'This signs you out of # other browser. You stay signed in here.',
            other: 'This signs you out of # other browsers. You stay signed in here.',
          },
        )}
      </Confirm>
    </Part>
  )
}

function SessionRow({ session }: { session: SignInSession }) {
  const end = useEndSession()
  const browser = getBrowserName(session.userAgent)
  const ip = <bdi>{session.ip}</bdi>
  return (
    <li className="flex min-h-12 items-center gap-4 border-line border-b py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="truncate font-medium" title={session.userAgent ?? undefined}>
            {browser}
          </span>
          {session.current && <Badge tone="good">{t`This browser`}</Badge>}
        </p>
        <p className="text-muted text-sm">
          {session.ip ? (
            <Trans>
              {ip} · Last active <RelativeTime at={session.lastSeenAt} /> · Signed in{' '}
              <RelativeTime at={session.createdAt} />
            </Trans>
          ) : (
            <Trans>
              Unknown IP address · Last active <RelativeTime at={session.lastSeenAt} /> · Signed in{' '}
              <RelativeTime at={session.createdAt} />
            </Trans>
          )}
        </p>
        <FormError error={end.error} />
      </div>
      {!session.current && (
        <Button
          size="small"
          aria-label={t`Sign out of ${browser}`}
          busy={end.isPending}
          onClick={() => end.mutate(session.sessionId)}
        >
          {t`Sign out`}
        </Button>
      )}
    </li>
  )
}
