import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { type ChatApp, type Credentials, interactivityUrl, useConnectChatApp } from '@/api/chat-apps'
import { getFieldError } from '@/api/errors'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import { getAppTexts } from './app-texts'

const SCOPES = 'chat:write, chat:write.public, channels:history, groups:history, users:read, users:read.email'

/** Asks for the app's credentials, which are visible only while they are typed. */
export function ConnectDialog({ app, onClose }: { app: ChatApp; onClose: () => void }) {
  const form = useId()
  const connect = useConnectChatApp()
  const isOwner = useMe().role === 'owner'
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const [way, setWay] = useState<Way>(app.state === 'absent' || app.canUpdate ? 'bot' : 'webhook')
  const { name } = getAppTexts(app)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connect.mutate(getCredentials(app.app, way, first.trim(), second.trim()), { onSuccess: onClose })
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
      title={app.state === 'absent' ? t`Connect ${{ app: name }}` : t`Reconnect ${{ app: name }}`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={form} busy={connect.isPending}>
            {app.state === 'absent' ? t`Connect` : t`Reconnect`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormError error={connect.error} paths={['botToken', 'signingSecret', 'serverUrl', 'webhookUrl']} />
        {app.app === 'slack' ? (
          <>
            <SlackSteps />
            <CodeInput
              label={t`Bot token`}
              error={getFieldError(connect.error, 'botToken')}
              help={t`Shown in Slack after you install the app.`}
              placeholder="xoxb-…"
              value={first}
              onChange={setFirst}
            />
            {isOwner ? (
              <CodeInput
                label={t`Signing secret (optional)`}
                error={getFieldError(connect.error, 'signingSecret')}
                help={t`Only needed to approve and reject in Slack.`}
                value={second}
                onChange={setSecond}
                optional
              />
            ) : (
              <p className="text-muted text-sm">
                {t`To turn on approving and rejecting in Slack, an owner must connect the app with its signing secret.`}
              </p>
            )}
          </>
        ) : (
          <LabeledField
            label={t`Connect with`}
            help={way === 'bot' ? t`Can post and update messages.` : t`Can post, but can't update messages.`}
          >
            {attributes => (
              <NativeSelect {...attributes} value={way} onChange={event => choose(event.target.value as Way)}>
                <option value="bot">{t`Bot token`}</option>
                <option value="webhook">{t`Incoming webhook`}</option>
              </NativeSelect>
            )}
          </LabeledField>
        )}
        {app.app === 'mattermost' && way === 'bot' && (
          <>
            <CodeInput
              label={t`Server URL`}
              error={getFieldError(connect.error, 'serverUrl')}
              help={t`The URL of your Mattermost server.`}
              placeholder="https://chat.example.com"
              value={first}
              onChange={setFirst}
            />
            <CodeInput
              label={t`Bot token`}
              error={getFieldError(connect.error, 'botToken')}
              help={t`In Mattermost, go to Integrations → Bot Accounts → Add Bot Account. Then add the bot to your team and its channels.`}
              value={second}
              onChange={setSecond}
            />
          </>
        )}
        {app.app === 'mattermost' && way === 'webhook' && (
          <CodeInput
            label={t`Incoming webhook URL`}
            error={getFieldError(connect.error, 'webhookUrl')}
            help={t`In Mattermost, go to Integrations → Incoming Webhooks → Add Incoming Webhook. Keep this URL secret: anyone who has it can post.`}
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

function getCredentials(app: ChatApp['app'], way: Way, first: string, second: string): Credentials {
  if (app === 'slack') return { app, botToken: first, signingSecret: second || null }
  return way === 'bot' ? { app, serverUrl: first, botToken: second } : { app, webhookUrl: first }
}

function SlackSteps() {
  const address = interactivityUrl()
  const scopes = <Code>{SCOPES}</Code>
  const url = <Code>{address}</Code>
  return (
    <ol className="flex list-decimal flex-col gap-1.5 ps-5 text-muted text-sm">
      <li>
        <Trans>
          Create a Slack app for your workspace at{' '}
          <a
            href="https://api.slack.com/apps"
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent underline"
          >
            api.slack.com/apps
          </a>
          .
        </Trans>
      </li>
      <li>
        <Trans>Add these bot token scopes: {scopes}</Trans>
      </li>
      <li>
        <Trans>To approve and reject in Slack, turn on Interactivity and set the request URL to {url}</Trans>{' '}
        <CopyButton text={address} label={t`Copy URL`} />
      </li>
      <li>{t`Install the app and invite it to any private channels you want to use.`}</li>
    </ol>
  )
}

function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-ink text-xs [overflow-wrap:anywhere]">{children}</code>
}

function CodeInput({
  label,
  help,
  error,
  value,
  onChange,
  placeholder,
  optional,
}: {
  label: string
  help: string
  error: string | null
  value: string
  onChange: (value: string) => void
  placeholder?: string
  optional?: boolean
}) {
  return (
    <LabeledField label={label} help={help} error={error}>
      {attributes => (
        <Input
          {...attributes}
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
    </LabeledField>
  )
}
