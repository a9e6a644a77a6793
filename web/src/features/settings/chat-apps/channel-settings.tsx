import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, X } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type AppName,
  type ChannelError,
  type Channels,
  type ChatAppTestOutcome,
  channelsQuery,
  useSaveChannels,
  useTestChatApp,
} from '@/api/chat-apps'
import { getFieldError } from '@/api/errors'
import { activeFormsQuery } from '@/api/forms/lists'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button, IconButton } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import { ErrorState, Notice, Spinner } from '@/components/status'
import { formatMilliseconds } from '../duration'
import { Form, SaveRow, useForm } from '../form'
import type { AppTexts } from './app-texts'

type Own = 'agents' | 'forms'

/** Where reviews are posted: a default channel, and overrides for agents and review types. */
export function ChannelSettings({
  app,
  words,
  troubled,
}: {
  app: AppName
  words: AppTexts
  troubled: readonly ChannelError[]
}) {
  const saved = useQuery(channelsQuery(app))
  if (saved.isPending) return <Spinner />
  if (saved.isError)
    return (
      <ErrorState title={t`Couldn't load the channels`} error={saved.error} onRetry={() => saved.refetch()} />
    )
  return <ChannelsForm app={app} words={words} saved={saved.data} troubled={troubled} />
}

function ChannelsForm({
  app,
  words,
  saved,
  troubled,
}: {
  app: AppName
  words: AppTexts
  saved: Channels
  troubled: readonly ChannelError[]
}) {
  const form = useForm({ saved, save: useSaveChannels(app), toBody: value => value })
  const test = useTestChatApp(app)
  const shown = form.value
  const renderTestButton = (channel: string | null, label: string) => (
    <Button
      disabled={!channel}
      busy={test.isPending && test.variables === channel}
      aria-label={label}
      onClick={() => channel && test.mutate(channel.trim())}
    >
      {t`Send test message`}
    </Button>
  )
  const isTroubled = (channel: string | null) => troubled.some(each => each.channel === channel)
  return (
    <Form form={form}>
      <LabeledField
        label={t`Default channel`}
        help={words.channelHelp}
        error={getFieldError(form.error, 'default')}
      >
        {attributes => (
          <span className="flex max-w-lg flex-wrap gap-2">
            <ChannelInput
              {...attributes}
              words={words}
              troubled={isTroubled(shown.default)}
              value={shown.default ?? ''}
              onChange={channel => form.change({ default: channel || null })}
            />
            {renderTestButton(shown.default, t`Send test message to the default channel`)}
          </span>
        )}
      </LabeledField>
      <OwnChannels
        words={words}
        shown={shown}
        error={getFieldError(form.error, 'agents') ?? getFieldError(form.error, 'forms')}
        isTroubled={isTroubled}
        onChange={form.change}
        tester={renderTestButton}
      />
      <div aria-live="polite" className="empty:hidden">
        {test.error && <FormError error={test.error} />}
        {test.data && !test.isPending && <Outcome outcome={test.data} />}
      </div>
      <SaveRow form={form} label={t`Save channels`} />
    </Form>
  )
}

function OwnChannels({
  words,
  shown,
  error,
  isTroubled,
  onChange,
  tester,
}: {
  words: AppTexts
  shown: Channels
  error: string | null
  isTroubled: (channel: string) => boolean
  onChange: (part: Partial<Channels>) => void
  tester: (channel: string, label: string) => ReactNode
}) {
  const agents = (useQuery(allAgentsQuery).data ?? []).map(each => ({ id: each.agentId, name: each.name }))
  const forms = (useQuery(activeFormsQuery).data ?? []).map(each => ({ id: each.formId, name: each.name }))
  const lists = { agents, forms }
  const rows = (['agents', 'forms'] as const).flatMap(own =>
    Object.entries(shown[own]).map(([id, channel]) => ({
      own,
      id,
      channel,
      name: getAgentName(lists[own], id),
    })),
  )
  const add = (own: Own, id: string) => onChange({ [own]: { ...shown[own], [id]: '' } })
  const remove = (own: Own, id: string) => {
    const { [id]: _, ...rest } = shown[own]
    onChange({ [own]: rest })
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">{t`Channel overrides`}</legend>
      <ul className="flex flex-col gap-2 empty:hidden">
        {rows.map(({ own, id, channel, name }) => (
          <li
            key={id}
            className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]"
          >
            <span className="min-w-0">
              <span dir="auto" className="block truncate">
                {name}
              </span>
              <span className="text-muted text-sm">{own === 'agents' ? t`Agent` : t`Review type`}</span>
            </span>
            <span className="flex min-w-0 flex-wrap gap-2">
              <ChannelInput
                aria-label={t`Channel for ${name}`}
                words={words}
                troubled={isTroubled(channel)}
                value={channel}
                empty={t`Not posted`}
                onChange={next => onChange({ [own]: { ...shown[own], [id]: next } })}
              />
              {tester(channel, t`Send test message to the channel for ${name}`)}
              <IconButton
                label={t`Remove channel override for ${name}`}
                icon={<X />}
                onClick={() => remove(own, id)}
              />
            </span>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
      <NativeSelect
        aria-label={t`Add channel override in ${{ app: words.name }}`}
        className="max-w-xs"
        value=""
        onChange={event => {
          const [own, id] = event.target.value.split(' ')
          if (id && (own === 'agents' || own === 'forms')) add(own, id)
        }}
      >
        <option value="">{t`Add agent or review type…`}</option>
        {(['agents', 'forms'] as const).map(own => (
          <optgroup key={own} label={own === 'agents' ? t`Agents` : t`Review types`}>
            {lists[own]
              .filter(each => !(each.id in shown[own]))
              .map(each => (
                <option key={each.id} value={`${own} ${each.id}`}>
                  {each.name}
                </option>
              ))}
          </optgroup>
        ))}
      </NativeSelect>
      <p className="text-muted text-sm">{t`A review type's channel takes precedence over its agent's.`}</p>
    </fieldset>
  )
}

const getAgentName = (list: readonly { id: string; name: string }[], id: string) =>
  list.find(each => each.id === id)?.name ?? id

function ChannelInput({
  words,
  troubled,
  value,
  onChange,
  empty,
  ...attributes
}: {
  words: AppTexts
  troubled: boolean
  value: string
  onChange: (channel: string) => void
  empty?: string
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}) {
  return (
    <Input
      {...attributes}
      {...(troubled && { 'aria-invalid': true })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={100}
      className="min-w-40 flex-1 font-mono"
      placeholder={empty ?? words.placeholder}
      value={value}
      onChange={event => onChange(event.target.value.trim())}
    />
  )
}

function Outcome({ outcome }: { outcome: ChatAppTestOutcome }) {
  const Icon = outcome.delivered ? CircleCheck : CircleX
  return (
    <Notice tone={outcome.delivered ? 'good' : 'bad'} icon={<Icon />}>
      <span className="[overflow-wrap:anywhere]">
        {outcome.delivered
          ? t`Test message sent. ${{ detail: outcome.detail }}`
          : t`The test message didn't arrive in ${{ channel: outcome.channel }}. ${{ detail: outcome.detail }}`}
      </span>{' '}
      <span className="text-muted">· {formatMilliseconds(outcome.durationMs)}</span>
    </Notice>
  )
}
