import { CircleX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type ChatApp, useDisconnectChatApp } from '@/api/chat-apps'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Badge, Notice } from '@/components/status'
import { Time } from '@/components/time'
import { Part } from '../section'
import { ChannelsPart } from './channels-part'
import { ConnectDialog } from './connect-dialog'
import { wordsOf } from './words'

/** One app: whether it works, what to do if not, and where its posts go. */
export function AppPart({ app }: { app: ChatApp }) {
  const words = wordsOf(app)
  const [connecting, setConnecting] = useState(false)
  const absent = app.state === 'absent'
  return (
    <Part
      title={words.name}
      about={words.about}
      actions={
        absent ? (
          <Button kind="primary" className="max-md:h-11" onClick={() => setConnecting(true)}>
            Connect {words.name}
          </Button>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button className="max-md:h-11" onClick={() => setConnecting(true)}>
              {app.app === 'slack' ? 'Change the token' : 'Change the connection'}
            </Button>
            <Disconnect app={app} />
          </div>
        )
      }
    >
      {!absent && (
        <div className="flex max-w-3xl flex-col gap-5">
          <State app={app} />
          <ChannelsPart app={app.app} words={words} troubled={app.troubledChannels} />
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
          <Badge tone="good">Connected</Badge>
        ) : (
          <Badge tone="bad">Not working</Badge>
        )}
        {app.workspace && <span className="font-medium [overflow-wrap:anywhere]">{app.workspace}</span>}
        <span className="text-muted text-sm">
          {app.connectedBy && `by ${app.connectedBy}`}
          {app.state === 'connected' && app.since && (
            <>
              , <Time at={app.since} />
            </>
          )}
          {app.app === 'slack' &&
            app.state === 'connected' &&
            (app.canDecide
              ? ' · can decide from Slack'
              : ' · without a signing secret, nobody decides there')}
        </span>
      </p>
      {app.state === 'refused' && (
        <Notice tone="bad" icon={<CircleX size={16} aria-hidden="true" />}>
          {app.why}{' '}
          <span className="text-muted">
            Refused <Time at={app.since ?? ''} />; nothing is posted until that is done.
          </span>
        </Notice>
      )}
      {app.troubledChannels.map(trouble => (
        <Notice key={trouble.channel} tone="warn" icon={<TriangleAlert size={16} aria-hidden="true" />}>
          <span className="font-medium [overflow-wrap:anywhere]">{trouble.channel}</span>: {trouble.why}{' '}
          <span className="text-muted">
            Noticed <Time at={trouble.since} />.
          </span>
        </Notice>
      ))}
    </div>
  )
}

function Disconnect({ app }: { app: ChatApp }) {
  const [asking, setAsking] = useState(false)
  const disconnect = useDisconnectChatApp()
  const { name } = wordsOf(app)
  return (
    <>
      <Button
        kind="danger"
        className="max-md:h-11"
        aria-label={`Disconnect ${name}`}
        onClick={() => setAsking(true)}
      >
        Disconnect
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Disconnect ${name}?`}
        confirm="Disconnect"
        busy={disconnect.isPending}
        onConfirm={() => disconnect.mutate(app.app, { onSuccess: () => setAsking(false) })}
      >
        <FormFault error={disconnect.error} />
        <p>What was entered and the channels are forgotten. Messages that were posted stay as they are.</p>
      </Confirm>
    </>
  )
}
