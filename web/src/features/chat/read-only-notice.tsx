import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMay } from '@/api/session'
import { Notice } from '@/components/status'

type Props = { chat: 'off' | 'on' | 'replyOnly'; agentName: string; isNew?: boolean }

/** Shown instead of the box: why the member can't write here. */
export function ReadOnlyNotice({ chat, agentName, isNew = false }: Props) {
  const mayDesign = useMay('design')
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
      <Notice icon={<Lock />}>
        {getReason(chat, agentName, isNew)}
        {mayDesign && chat !== 'on' && (chat === 'off' || isNew) && (
          <>
            {' '}
            <Link
              to="/settings/$section"
              params={{ section: 'agents' }}
              className="rounded underline underline-offset-2"
            >
              {t`Agent settings`}
            </Link>
          </>
        )}
      </Notice>
    </div>
  )
}

function getReason(chat: Props['chat'], agentName: string, isNew: boolean): ReactNode {
  const agent = <strong className="font-semibold">{agentName}</strong>
  if (chat === 'off') return <Trans>Chat with {agent} is off. You can still read past messages.</Trans>
  if (chat === 'replyOnly' && isNew)
    return <Trans>Only {agent} can start a chat. You can reply once it messages you.</Trans>
  return t`Your role is view-only. You can read this chat but not reply.`
}
