import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { type ChatApp, type Credentials, interactivityUrl, useConnectChatApp } from '@/api/chat-apps'
import { faultAt } from '@/api/faults'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled, NativeSelect } from '@/components/input'
import { wordsOf } from './words'

const SCOPES = 'chat:write, chat:write.public, channels:history, groups:history, users:read, users:read.email'

/** Takes what the app wants to be connected with. It is shown this once, while it is typed. */
export function ConnectDialog({ app, onClose }: { app: ChatApp; onClose: () => void }) {
  const form = useId()
  const connect = useConnectChatApp()
  const isOwner = useMe().role === 'owner'
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const [way, setWay] = useState<Way>(app.state === 'absent' || app.canUpdate ? 'bot' : 'webhook')
  const { name } = wordsOf(app)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connect.mutate(credentialsOf(app.app, way, first.trim(), second.trim()), { onSuccess: onClose })
  }
  const choose = (next: Way) => {
    setWay(next)
    setFirst('')
    setSecond('')
    connect.reset()
  }
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={app.state === 'absent' ? `Connect ${name}` : `Connect ${name} anew`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={connect.isPending}>
            Connect
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormFault error={connect.error} paths={['botToken', 'signingSecret', 'serverUrl', 'webhookUrl']} />
        {app.app === 'slack' ? (
          <>
            <SlackSteps />
            <CodeInput
              label="Bot token"
              fault={faultAt(connect.error, 'botToken')}
              help="Of the app, after it was installed in your Slack workspace."
              placeholder="xoxb-…"
              value={first}
              onChange={setFirst}
            />
            {isOwner ? (
              <CodeInput
                label="Signing secret"
                fault={faultAt(connect.error, 'signingSecret')}
                help="Only needed to approve and reject from within Slack."
                value={second}
                onChange={setSecond}
                optional
              />
            ) : (
              <p className="text-muted text-sm">
                To approve and reject from within Slack, an owner has to enter the token, with the app's
                signing secret. Without it that is off.
              </p>
            )}
          </>
        ) : (
          <Labelled
            label="Connect with"
            help={way === 'bot' ? 'Keeps messages up to date.' : 'Can post, but can’t update messages.'}
          >
            {ties => (
              <NativeSelect {...ties} value={way} onChange={event => choose(event.target.value as Way)}>
                <option value="bot">Bot token</option>
                <option value="webhook">Incoming webhook</option>
              </NativeSelect>
            )}
          </Labelled>
        )}
        {app.app === 'mattermost' && way === 'bot' && (
          <>
            <CodeInput
              label="Server URL"
              fault={faultAt(connect.error, 'serverUrl')}
              help="The address of your Mattermost server."
              placeholder="https://chat.example.com"
              value={first}
              onChange={setFirst}
            />
            <CodeInput
              label="Bot token"
              fault={faultAt(connect.error, 'botToken')}
              help="In Mattermost: Integrations, Bot Accounts, Add. Then add the bot to the team and its channels."
              value={second}
              onChange={setSecond}
            />
          </>
        )}
        {app.app === 'mattermost' && way === 'webhook' && (
          <CodeInput
            label="Address of the incoming webhook"
            fault={faultAt(connect.error, 'webhookUrl')}
            help="In Mattermost: Integrations, Incoming Webhooks, Add. Whoever has this address can post."
            placeholder="https://chat.example.com/hooks/…"
            value={first}
            onChange={setFirst}
          />
        )}
      </form>
    </Dialog>
  )
}

type Way = 'bot' | 'webhook'

function credentialsOf(app: ChatApp['app'], way: Way, first: string, second: string): Credentials {
  if (app === 'slack') return { app, botToken: first, signingSecret: second || null }
  return way === 'bot' ? { app, serverUrl: first, botToken: second } : { app, webhookUrl: first }
}

function SlackSteps() {
  const address = interactivityUrl()
  return (
    <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-muted text-sm">
      <li>Make an app for your workspace at api.slack.com/apps.</li>
      <li>
        Give its bot these scopes: <Code>{SCOPES}</Code>
      </li>
      <li>
        To decide from Slack, switch on interactivity, with the request URL <Code>{address}</Code>{' '}
        <Copy text={address} label="Copy the URL" />
      </li>
      <li>Install it, and invite it to private channels.</li>
    </ol>
  )
}

function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-ink text-xs [overflow-wrap:anywhere]">{children}</code>
}

function CodeInput({
  label,
  help,
  fault,
  value,
  onChange,
  placeholder,
  optional,
}: {
  label: string
  help: string
  fault: string | null
  value: string
  onChange: (value: string) => void
  placeholder?: string
  optional?: boolean
}) {
  return (
    <Labelled label={label} help={help} error={fault}>
      {ties => (
        <Input
          {...ties}
          required={!optional}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          placeholder={placeholder}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Labelled>
  )
}
