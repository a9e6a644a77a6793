import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LayoutTemplate, Plus, Upload } from 'lucide-react'
import { useMemo, useState } from 'react'
import { activeFormsQuery, archivedFormsQuery } from '@/api/forms/lists'
import { countsQuery } from '@/api/inbox'
import { useMay } from '@/api/session'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Input } from '@/components/input'
import { Segments } from '@/components/segments'
import { EmptyState, ErrorState, Notice, Spinner } from '@/components/status'
import { matchesSearch } from '@/lib/matches-search'
import { readDraft } from '../editor/drafts'
import { NotAllowed } from '../not-allowed'
import { ImportDialog } from './import-dialog'
import { NewDialog } from './new-dialog'
import { ReviewTypeRow } from './review-type-row'

type Shown = 'inUse' | 'archived'

/** All review types, and the ways to create one. */
export function ReviewTypesPage() {
  const mayDesign = useMay('design')
  const [shown, setShown] = useState<Shown>('inUse')
  const [words, setWords] = useState('')
  const [opens, setOpens] = useState<'new' | 'import' | null>(null)
  const query = shown === 'archived' ? archivedFormsQuery : activeFormsQuery
  const forms = useQuery({ ...query, enabled: mayDesign })
  const agents = useQuery({ ...allAgentsQuery, enabled: mayDesign }).data
  const counts = useQuery({ ...countsQuery, enabled: mayDesign }).data
  const found = useMemo(
    () => (forms.data ?? []).filter(form => matchesSearch(form.name, words)),
    [forms.data, words],
  )
  const statuses: { id: Shown; label: string }[] = [
    { id: 'inUse', label: t({ message: 'Active', comment: 'Review types that are in use' }) },
    { id: 'archived', label: t({ message: 'Archived', comment: 'Review types that are archived' }) },
  ]
  if (!mayDesign)
    return (
      <main className="h-full">
        <NotAllowed />
      </main>
    )
  return (
    <main className="h-full min-h-0 overflow-y-auto">
      <div className="mx-auto flex max-w-5xl flex-col gap-5 px-6 py-8 max-md:px-4 max-md:py-4">
        <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-72">
            <h1 className="font-semibold text-xl">{t`Review types`}</h1>
            <p className="mt-0.5 text-muted">{t`Define what reviewers see and what they can change.`}</p>
          </div>
          <div className="flex gap-2">
            <Button icon={<Upload />} onClick={() => setOpens('import')}>
              {t`Import`}
            </Button>
            <Button kind="primary" icon={<Plus />} onClick={() => setOpens('new')}>
              {t`Create review type`}
            </Button>
          </div>
        </header>
        {readDraft('new') !== null && (
          <Notice
            actions={
              <Link
                to="/review-types/$formId"
                params={{ formId: 'new' }}
                className="font-medium text-accent hover:underline"
              >
                {t`Continue editing`}
              </Link>
            }
          >
            {t`You have an unsaved review type.`}
          </Notice>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Segments label={t`Status`} options={statuses} value={shown} onChange={setShown} />
          <Input
            type="search"
            aria-label={t`Search by name`}
            placeholder={t`Search by name`}
            className="max-w-64"
            value={words}
            onChange={event => setWords(event.target.value)}
          />
        </div>
        {forms.isPending && <Spinner />}
        {forms.isError && (
          <ErrorState
            title={t`Couldn't load review types`}
            error={forms.error}
            onRetry={() => forms.refetch()}
          />
        )}
        {forms.data && found.length === 0 && (
          <EmptyState
            icon={<LayoutTemplate />}
            title={
              words
                ? t`No review types match your search`
                : shown === 'archived'
                  ? t`No archived review types`
                  : t`No review types yet`
            }
            action={
              !words &&
              shown === 'inUse' && (
                <Button kind="primary" onClick={() => setOpens('new')}>
                  {t`Create review type`}
                </Button>
              )
            }
          >
            {!words && shown === 'inUse' && t`Start from a template, or paste sample data from your agent.`}
          </EmptyState>
        )}
        {found.length > 0 && (
          <ul aria-label={t`Review types`} className="border-line border-t">
            {found.map(form => (
              <ReviewTypeRow
                key={form.formId}
                form={form}
                agent={agents?.find(agent => agent.agentId === form.agentId)?.name ?? null}
                open={counts?.forms[form.formId] ?? 0}
                isArchived={shown === 'archived'}
              />
            ))}
          </ul>
        )}
      </div>
      {opens === 'new' && <NewDialog onClose={() => setOpens(null)} />}
      {opens === 'import' && <ImportDialog onClose={() => setOpens(null)} />}
    </main>
  )
}
