import { type FormEvent, useId, useState } from 'react'
import { faultAt } from '@/api/faults'
import { type Agent, type AgentBody, useSaveAgent } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled, NativeSelect, TextArea } from '@/components/input'

const CHATS: readonly { id: Agent['chat']; label: string }[] = [
  { id: 'off', label: 'Off' },
  { id: 'on', label: 'On: people may begin a conversation' },
  { id: 'replyOnly', label: 'Reply only: people answer what the agent began' },
]

type Props = { agent: Agent | null; onClose: () => void; onSecret: (secret: string) => void }

/** Makes an agent, or changes the given one. A click beside it loses nothing that was typed. */
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
      title={agent ? 'Edit agent' : 'New agent'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={save.isPending}>
            {agent ? 'Save' : 'Make the agent'}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <FormFault error={save.error} paths={['name', 'description', 'webhookUrl', 'chat']} />
        <Labelled label="Name" error={faultAt(save.error, 'name')}>
          {ties => (
            <Input
              {...ties}
              required
              maxLength={200}
              autoComplete="off"
              value={name}
              onChange={event => setName(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label="Description (optional)" error={faultAt(save.error, 'description')}>
          {ties => (
            <TextArea
              {...ties}
              maxLength={4000}
              value={description}
              onChange={event => setDescription(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled
          label="Webhook (optional)"
          help="Receives every event of the agent, signed. Review types and single requests may name others. Without one, the agent pulls its events."
          error={faultAt(save.error, 'webhookUrl')}
        >
          {ties => (
            <Input
              {...ties}
              type="url"
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
              value={webhookUrl}
              onChange={event => setWebhookUrl(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled
          label="Chat"
          help="Choose whether people can chat with this agent."
          error={faultAt(save.error, 'chat')}
        >
          {ties => (
            <NativeSelect
              {...ties}
              value={chat}
              onChange={event => setChat(event.target.value as Agent['chat'])}
            >
              {CHATS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </NativeSelect>
          )}
        </Labelled>
      </form>
    </Dialog>
  )
}
