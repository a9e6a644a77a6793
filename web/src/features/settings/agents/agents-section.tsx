import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { activeFormsQuery } from '@/api/forms/lists'
import { type Agent, allAgentsQuery } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { SecretDialog } from '../secret-dialog'
import { SectionFrame } from '../section'
import { AgentDialog } from './agent-dialog'
import { AgentRow } from './agent-row'
import { SignatureHelp } from './signature-help'

export default function AgentsSection() {
  const agents = useQuery(allAgentsQuery)
  const forms = useQuery(activeFormsQuery)
  const [edited, setEdited] = useState<Agent | 'new' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setEdited('new')}>
      {t`Create agent`}
    </Button>
  )
  return (
    <SectionFrame
      title={t`Agents`}
      about={t`Agents request reviews and receive the decisions.`}
      // An empty list has the button itself.
      actions={agents.data?.length === 0 ? undefined : create}
    >
      {agents.isPending && <Spinner />}
      {agents.isError && (
        <ErrorState title={t`Couldn't load agents`} error={agents.error} onRetry={() => agents.refetch()} />
      )}
      {agents.data?.length === 0 && (
        <EmptyState icon={<Bot />} title={t`No agents yet`} action={create}>
          {t`Create one for each program that needs human approval.`}
        </EmptyState>
      )}
      {agents.data && agents.data.length > 0 && (
        <ul className="border-line border-t">
          {agents.data.map(agent => (
            <AgentRow
              key={agent.agentId}
              agent={agent}
              formCount={forms.data?.filter(form => form.agentId === agent.agentId).length ?? 0}
              onEdit={() => setEdited(agent)}
              onSecret={setSecret}
            />
          ))}
        </ul>
      )}
      <SignatureHelp />
      {edited !== null && (
        <AgentDialog
          key={edited === 'new' ? 'new' : edited.agentId}
          agent={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSecret={setSecret}
        />
      )}
      <SecretDialog
        title={t`Signing secret`}
        label={t`Signing secret`}
        text={secret}
        onClose={() => setSecret(null)}
      >
        {t`Copy it now. You won't be able to see it again. Use it to verify that events come from Signoff.`}
      </SecretDialog>
    </SectionFrame>
  )
}
