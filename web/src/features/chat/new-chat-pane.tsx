import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, MessagesSquare } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { sendMessage } from '@/api/outgoing-messages'
import { useMay, useMe } from '@/api/session'
import { newSessionId, useStartSession } from '@/api/sessions'
import { type Agent, allAgentsQuery } from '@/api/settings/agents'
import { Button, IconButton } from '@/components/button'
import { FormError } from '@/components/form-error'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { Composer } from './composer'
import { type ChatDraft, EMPTY_DRAFT, storeDraft } from './drafts'
import { ReadOnlyNotice } from './read-only-notice'
import { useDraft } from './session-pane'
import { useFocusWithHardwareKeyboard, useScreenKeyboardPadding } from './use-screen-keyboard'

type Props = {
  agentId: string
  onClose: () => void
  onLeave: () => void
  onStarted: (sessionId: string) => void
}

/** A chat that starts with its first message: until then, others see nothing. */
export function NewChatPane({ agentId, onClose, ...rest }: Props) {
  const agents = useQuery(allAgentsQuery)
  const agent = agents.data?.find(each => each.agentId === agentId)
  if (agent) return <StartChat key={agentId} agent={agent} onClose={onClose} {...rest} />
  return (
    <div className="grid h-full place-items-center">
      {agents.error ? (
        <ErrorState
          title={t`Couldn't load the agent`}
          error={agents.error}
          onRetry={() => agents.refetch()}
        />
      ) : agents.data ? (
        <EmptyState
          title={t`Agent not found`}
          as="h1"
          action={<Button onClick={onClose}>{t`Back to list`}</Button>}
        >
          {t`It may have been deleted.`}
        </EmptyState>
      ) : (
        <Spinner />
      )}
    </div>
  )
}

function StartChat({ agent, onClose, onLeave, onStarted }: Omit<Props, 'agentId'> & { agent: Agent }) {
  const me = useMe().user.userId
  const mayDecide = useMay('decide')
  const input = useRef<HTMLTextAreaElement>(null)
  const place = useScreenKeyboardPadding()
  const start = useStartSession()
  // The same ID for every retry.
  const [sessionId] = useState(newSessionId)
  const draftPlace = `new ${agent.agentId}`
  const { draft, changeDraft } = useDraft(draftPlace)
  useFocusWithHardwareKeyboard(input)
  const isHere = useIsMounted()
  const title = t`New chat with ${{ agentName: agent.name }}`
  const send = async ({ text, attachments }: ChatDraft) => {
    try {
      await start.mutateAsync({ agentId: agent.agentId, sessionId })
    } catch (error) {
      // The error is shown above the box, which still has the text.
      if (error instanceof ApiError) return
      throw error
    }
    // A member who left the page has sent it all the same.
    storeDraft(draftPlace, EMPTY_DRAFT)
    sendMessage({ sessionId, text, attachments, after: 0, by: me })
    if (isHere.current) onStarted(sessionId)
  }
  return (
    <section ref={place} aria-label={title} className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-14 items-center gap-1 border-line border-b px-4 py-2 max-md:px-1 md:px-6">
        <IconButton
          label={t`Back to list`}
          icon={<ArrowLeft />}
          size="large"
          className="md:hidden"
          onClick={onClose}
        />
        <h1 dir="auto" className="min-w-0 truncate font-semibold text-lg">
          {title}
        </h1>
      </header>
      <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto">
        <EmptyState icon={<MessagesSquare />} title={t`Message ${{ agentName: agent.name }}`}>
          {agent.description ||
            t`The agent gets your messages. Everyone in the workspace can read this chat.`}
        </EmptyState>
      </div>
      <div className="mx-auto w-full max-w-4xl px-4 empty:hidden md:px-6">
        {start.error && <FormError error={start.error} />}
      </div>
      <div className="h-6" />
      {agent.chat === 'on' && mayDecide ? (
        <Composer
          draft={draft}
          onDraft={changeDraft}
          onSend={draft => void send(draft)}
          agentName={agent.name}
          input={input}
          onLeave={onLeave}
          busy={start.isPending}
        />
      ) : (
        <ReadOnlyNotice chat={agent.chat} agentName={agent.name} isNew />
      )}
    </section>
  )
}

/** Whether the component is still mounted. */
function useIsMounted() {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}
