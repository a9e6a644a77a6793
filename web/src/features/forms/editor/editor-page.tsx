import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FileQuestion, Lock } from 'lucide-react'
import { useEffect } from 'react'
import { isStatus } from '@/api/client'
import { formQuery } from '@/api/forms/queries'
import { useMay } from '@/api/session'
import { Button } from '@/components/button'
import { Empty, Failure, Spinner } from '@/components/status'
import { readDraft } from './drafts'
import { Editor } from './editor'

/** The editor of one review type, or of a new one. */
export function EditorPage() {
  const { formId } = useParams({ from: '/app/review-types/$formId' })
  const mayDesign = useMay('design')
  return (
    <main className="flex h-full min-h-0 flex-col">
      {!mayDesign ? (
        <Empty icon={<Lock size={28} />} title="For editors only">
          Ask an administrator for the role of an editor.
        </Empty>
      ) : formId === 'new' ? (
        <Editor key="new" form={null} draft={readDraft('new')} />
      ) : (
        <Existing key={formId} formId={formId} />
      )}
    </main>
  )
}

function Existing({ formId }: { formId: string }) {
  const form = useQuery(formQuery(formId))
  const navigate = useNavigate()
  const name = form.data?.name
  useEffect(() => {
    if (name) document.title = `${name} · Signoff`
  }, [name])
  if (form.isPending) return <Spinner />
  if (isStatus(form.error, 404))
    return (
      <Empty
        icon={<FileQuestion size={28} />}
        title="There is no such review type"
        action={<Button onClick={() => void navigate({ to: '/review-types' })}>All review types</Button>}
      />
    )
  if (form.data === undefined) return <Failure error={form.error} onRetry={() => form.refetch()} />
  return <Editor form={form.data} draft={readDraft(formId)} />
}
