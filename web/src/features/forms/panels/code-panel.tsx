import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { codeQuery } from '@/api/forms/queries'
import type { CodeLanguage } from '@/api/forms/types'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Empty, Failure, Notice, Spinner } from '@/components/status'
import { sameForm } from '../document/write'
import { useEditor } from '../editor/editor-context'
import { CodeText } from '../live/code-text'
import { Segments } from '../live/segments'
import { download } from './download'

const LANGUAGES = [
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python (Pydantic)' },
  { id: 'jsonschema', label: 'JSON Schema' },
] as const

const ENDINGS = { typescript: 'ts', python: 'py', jsonschema: 'json' } as const

/** Types for agents and receivers, made of the saved review type. */
export default function CodePanel() {
  const { saved, document } = useEditor()
  const [language, setLanguage] = useState<CodeLanguage>('typescript')
  if (saved === null)
    return <Empty title="No code yet">Save the review type first; its types are made of it.</Empty>
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-6">
      <div>
        <h2 className="font-semibold text-lg">Code</h2>
        <p className="text-muted">
          Types of what the agent sends and of what comes back, for agents whose types are checked.
        </p>
      </div>
      <Segments label="Language" options={LANGUAGES} value={language} onChange={setLanguage} />
      {!sameForm(document, saved.document) && (
        <Notice>This is of version {saved.version}, as it is saved. Your changes are not in it yet.</Notice>
      )}
      <Code
        key={language}
        formId={saved.formId}
        version={saved.version}
        language={language}
        name={document.name}
      />
    </div>
  )
}

function Code({
  formId,
  version,
  language,
  name,
}: {
  formId: string
  version: number
  language: CodeLanguage
  name: string
}) {
  const code = useQuery(codeQuery(formId, version, language))
  if (code.isPending) return <Spinner />
  if (code.isError) return <Failure error={code.error} onRetry={() => code.refetch()} />
  const words = name
    .match(/[A-Za-z0-9]+/g)
    ?.join('-')
    .toLowerCase()
  const file = `${words ?? 'review-type'}.${ENDINGS[language]}`
  return (
    <>
      <div className="flex gap-2">
        <Copy text={code.data} />
        <Button size="small" icon={<Download size={14} />} onClick={() => download(file, code.data)}>
          Download
        </Button>
      </div>
      <CodeText label="Code" text={code.data} className="max-h-none!" />
    </>
  )
}
