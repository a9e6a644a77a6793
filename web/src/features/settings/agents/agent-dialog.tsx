import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useId } from 'react'
import { type Agent, useSaveAgent } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Input, NativeSelect, TextArea } from '@/components/input'
import { i18n } from '@/lib/i18n'
import { Field, Form, useForm } from '../form'

const CHATS: readonly { id: Agent['chat']; label: MessageDescriptor }[] = [
  { id: 'off', label: msg({ message: 'Off', context: 'chat with an agent' }) },
  { id: 'on', label: msg`On (people can start chats)` },
  { id: 'replyOnly', label: msg`Reply only (people can reply in chats the agent starts)` },
]

type Props = { agent: Agent | null; onClose: () => void; onSecret: (secret: string) => void }

/** Creates an agent, or edits the given one. A click outside the dialog doesn't discard the input. */
export function AgentDialog({ agent, onClose, onSecret }: Props) {
  const id = useId()
  const form = useForm({
    saved: {
      name: agent?.name ?? '',
      description: agent?.description ?? '',
      webhookUrl: agent?.webhookUrl ?? '',
      chat: agent?.chat ?? 'off',
    },
    save: useSaveAgent(agent?.agentId ?? null),
    toBody: value => ({ ...value, webhookUrl: value.webhookUrl.trim() || null }),
    onSaved: saved => {
      onClose()
      if (saved.webhookSecret) onSecret(saved.webhookSecret)
    },
  })
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={agent ? t`Edit agent` : t`New agent`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={id} busy={form.saving}>
            {agent ? t`Save` : t`Create agent`}
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        <Field form={form} name="name" label={t`Name`}>
          {attributes => <Input {...attributes} required maxLength={200} autoComplete="off" />}
        </Field>
        <Field form={form} name="description" label={t`Description (optional)`}>
          {attributes => <TextArea {...attributes} maxLength={4000} />}
        </Field>
        <Field
          form={form}
          name="webhookUrl"
          label={t`Webhook URL (optional)`}
          help={t`Receives this agent's signed events. Review types and individual requests can use a different URL. Without a webhook, the agent polls for events.`}
        >
          {attributes => (
            <Input {...attributes} type="url" inputMode="url" placeholder="https://" autoComplete="off" />
          )}
        </Field>
        <Field
          form={form}
          name="chat"
          label={t({ message: 'Chat', context: 'setting of an agent' })}
          help={t`Choose whether people can chat with this agent.`}
        >
          {attributes => (
            <NativeSelect {...attributes}>
              {CHATS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {i18n._(label)}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      </Form>
    </Dialog>
  )
}
