import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import { useEffect } from 'react'
import { isStatus } from '@/api/client'
import { formQuery } from '@/api/forms/queries'
import { useMay } from '@/api/session'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { defaultName, EMPTY } from '../document/read'
import { NotAllowed } from '../not-allowed'
import { readDraft } from './drafts'
import { Editor } from './editor'
import { getOnlyAgent } from './only-agent'

/** The editor of one review type, or of a new one. */
export function EditorPage() {
  const { formId } = useParams({ from: '/app/review-types/$formId' })
  const mayDesign = useMay('design')
  return (
    <main className="flex h-full min-h-0 flex-col">
      {!mayDesign ? (
        <NotAllowed />
      ) : formId === 'new' ? (
        <New key="new" />
      ) : (
        <Existing key={formId} formId={formId} />
      )}
    </main>
  )
}

function New() {
  const agents = useQuery(allAgentsQuery)
  if (agents.isPending) return <Spinner />
  // If the agents can't be loaded, the editor still works.
  const blank = { ...EMPTY, name: defaultName(), agentId: getOnlyAgent(agents.data) }
  return <Editor form={null} draft={readDraft('new')} blank={blank} />
}

function Existing({ formId }: { formId: string }) {
  const form = useQuery(formQuery(formId))
  const navigate = useNavigate()
  const name = form.data?.name
  useEffect(() => {
    if (name) document.title = t`${name} · Signoff`
  }, [name])
  if (form.isPending) return <Spinner />
  if (isStatus(form.error, 404))
    return (
      <EmptyState
        icon={<FileQuestion />}
        title={t`Review type not found`}
        action={
          <Button onClick={() => void navigate({ to: '/review-types' })}>{t`View all review types`}</Button>
        }
      />
    )
  if (form.data === undefined)
    return (
      <ErrorState
        title={t`Couldn't load the review type`}
        error={form.error}
        onRetry={() => form.refetch()}
      />
    )
  return <Editor form={form.data} draft={readDraft(formId)} />
}
