import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type FormEvent, useId, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { type Agent, type AgentBody, useSaveAgent } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input, LabeledField, NativeSelect, TextArea } from '@/components/input'
import { i18n } from '@/lib/i18n'

const CHATS: readonly { id: Agent['chat']; label: MessageDescriptor }[] = [
  { id: 'off', label: msg({ message: 'Off', context: 'chat with an agent' }) },
  { id: 'on', label: msg`On (people can start chats)` },
  { id: 'replyOnly', label: msg`Reply only (people can reply to chats the agent starts)` },
]

type Props = { agent: Agent | null; onClose: () => void; onSecret: (secret: string) => void }

/** Creates an agent, or edits the given one. A click outside the dialog doesn't discard the input. */
export function AgentDialog({ agent, onClose, onSecret }: Props) {
  const form = useId()
  const [name, setName] = useState(agent?.name ?? '')
  const [description, setDescription] = useState(agent?.description ?? '')
  const [webhookUrl, setWebhookUrl] = useState(agent?.webhookUrl ?? '')
  const [chat, setChat] = useState<Agent['chat']>(agent?.chat ?? 'off')
  const save = useSaveAgent(agent?.agentId ?? null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body: AgentBody = { name, description, webhookUrl: webhookUrl.trim() || null, chat }
    save.mutate(body, {
      onSuccess: saved => {
        onClose()
        if (saved.webhookSecret) onSecret(saved.webhookSecret)
      },
    })
  }
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={agent ? t`Edit agent` : t`New agent`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={form} busy={save.isPending}>
            {agent ? t`Save` : t`Create agent`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormError error={save.error} paths={['name', 'description', 'webhookUrl', 'chat']} />
        <LabeledField label={t`Name`} error={getFieldError(save.error, 'name')}>
          {attributes => (
            <Input
              {...attributes}
              required
              maxLength={200}
              autoComplete="off"
              value={name}
              onChange={event => setName(event.target.value)}
            />
          )}
        </LabeledField>
        <LabeledField label={t`Description (optional)`} error={getFieldError(save.error, 'description')}>
          {attributes => (
            <TextArea
              {...attributes}
              maxLength={4000}
              value={description}
              onChange={event => setDescription(event.target.value)}
            />
          )}
        </LabeledField>
        <LabeledField
          label={t`Webhook URL (optional)`}
          help={t`Receives all of this agent's events, signed. Review types and individual requests can use a different URL. Without a webhook, the agent polls for events.`}
          error={getFieldError(save.error, 'webhookUrl')}
        >
          {attributes => (
            <Input
              {...attributes}
              type="url"
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
              value={webhookUrl}
              onChange={event => setWebhookUrl(event.target.value)}
            />
          )}
        </LabeledField>
        <LabeledField
          label={t({ message: 'Chat', context: 'setting of an agent' })}
          help={t`Choose whether people can chat with this agent.`}
          error={getFieldError(save.error, 'chat')}
        >
          {attributes => (
            <NativeSelect
              {...attributes}
              value={chat}
              onChange={event => setChat(event.target.value as Agent['chat'])}
            >
              {CHATS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {i18n._(label)}
                </option>
              ))}
            </NativeSelect>
          )}
        </LabeledField>
      </form>
    </Dialog>
  )
}
