import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { CircleX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type ChatApp, useDisconnectChatApp } from '@/api/chat-apps'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { RelativeTime } from '@/components/relative-time'
import { Badge, Notice } from '@/components/status'
import { Part } from '../section'
import { getAppTexts } from './app-texts'
import { ChannelSettings } from './channel-settings'
import { ConnectDialog } from './connect-dialog'

/** One app: its status, how to fix errors, and its channels. */
export function AppSettings({ app }: { app: ChatApp }) {
  const words = getAppTexts(app)
  const [connecting, setConnecting] = useState(false)
  const absent = app.state === 'absent'
  return (
    <Part
      title={words.name}
      about={words.about}
      actions={
        absent ? (
          <Button kind="primary" onClick={() => setConnecting(true)}>
            {t`Connect ${{ app: words.name }}`}
          </Button>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setConnecting(true)}>
              {app.app === 'slack' ? t`Change token` : t`Change connection`}
            </Button>
            <Disconnect app={app} />
          </div>
        )
      }
    >
      {!absent && (
        <div className="flex max-w-3xl flex-col gap-5">
          <State app={app} />
          <ChannelSettings app={app.app} words={words} troubled={app.troubledChannels} />
        </div>
      )}
      {connecting && <ConnectDialog app={app} onClose={() => setConnecting(false)} />}
    </Part>
  )
}

function State({ app }: { app: ChatApp }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {app.state === 'connected' ? (
          <Badge tone="good">{t`Connected`}</Badge>
        ) : (
          <Badge tone="bad">{t`Credentials rejected`}</Badge>
        )}
        {app.workspace && (
          <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
            {app.workspace}
          </span>
        )}
        <span className="text-muted text-sm">
          <ConnectedBy app={app} />
        </span>
        {app.app === 'slack' && app.state === 'connected' && (
          <span className="text-muted text-sm">
            {app.canDecide
              ? t`Decisions from Slack are on`
              : t`Decisions from Slack are off: no signing secret`}
          </span>
        )}
        <Link
          to="/settings/$section"
          params={{ section: 'outgoing-messages' }}
          search={{ channel: 'chat', status: app.troubledChannels.length > 0 ? 'failed' : undefined }}
          className="text-accent text-sm underline underline-offset-2"
        >
          {app.troubledChannels.length > 0 ? t`Show failed posts` : t`Show posts`}
        </Link>
      </p>
      {app.state === 'refused' && (
        <Notice tone="bad" icon={<CircleX />}>
          {app.why}{' '}
          <span className="text-muted">
            {app.since ? (
              <Trans>
                First seen <RelativeTime at={app.since} />. Nothing is posted until you fix this.
              </Trans>
            ) : (
              t`Nothing is posted until you fix this.`
            )}
          </span>
        </Notice>
      )}
      {app.troubledChannels.map(trouble => (
        <Notice key={trouble.channel} tone="warn" icon={<TriangleAlert />}>
          <span className="font-medium [overflow-wrap:anywhere]">{trouble.channel}</span>: {trouble.why}{' '}
          <span className="text-muted">
            <Trans>
              First seen <RelativeTime at={trouble.since} />.
            </Trans>
          </span>
        </Notice>
      ))}
    </div>
  )
}

function ConnectedBy({ app }: { app: ChatApp }) {
  const who = app.connectedBy && <bdi>{app.connectedBy}</bdi>
  // While the app rejects the credentials, `since` is when that started.
  const at = app.state === 'connected' && app.since && <RelativeTime at={app.since} />
  if (who && at)
    return (
      <Trans>
        Connected by {who} {at}
      </Trans>
    )
  if (who) return <Trans>Connected by {who}</Trans>
  return at ? <Trans>Connected {at}</Trans> : null
}

function Disconnect({ app }: { app: ChatApp }) {
  const [asking, setAsking] = useState(false)
  const disconnect = useDisconnectChatApp()
  const { name } = getAppTexts(app)
  return (
    <>
      <Button kind="danger" aria-label={t`Disconnect ${{ app: name }}`} onClick={() => setAsking(true)}>
        {t`Disconnect`}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Disconnect ${{ app: name }}?`}
        confirm={t`Disconnect`}
        busy={disconnect.isPending}
        onConfirm={() => disconnect.mutate(app.app, { onSuccess: () => setAsking(false) })}
      >
        <FormError error={disconnect.error} />
        <p>{t`This deletes the credentials and channel settings. Existing messages stay in their channels.`}</p>
      </Confirm>
    </>
  )
}
