import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { codeQuery } from '@/api/forms/queries'
import type { CodeLanguage } from '@/api/forms/types'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { Segments } from '@/components/segments'
import { EmptyState, ErrorState, Notice, Spinner } from '@/components/status'
import { formatNumber } from '@/lib/i18n'
import { sameForm } from '../document/write'
import { useEditor } from '../editor/editor-context'
import { CodeText } from '../live/code-text'
import { download } from './download'

const LANGUAGES = [
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python (Pydantic)' },
  { id: 'jsonschema', label: 'JSON Schema' },
] as const

const ENDINGS = { typescript: 'ts', python: 'py', jsonschema: 'json' } as const

/** Types for agents and webhook endpoints, generated from the published review type. */
export default function CodePanel() {
  const { saved, document } = useEditor()
  const [language, setLanguage] = useState<CodeLanguage>('typescript')
  if (saved === null)
    return (
      <EmptyState
        title={t`No code yet`}
      >{t`Publish this review type to generate types for its request data and result.`}</EmptyState>
    )
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-6">
      <div>
        <h2 className="font-semibold text-lg">{t({ message: 'Code', comment: 'Generated source code' })}</h2>
        <p className="text-muted">{t`Generated types for the request data and the result.`}</p>
      </div>
      <Segments
        label={t({ message: 'Language', context: 'programming language' })}
        options={LANGUAGES}
        value={language}
        onChange={setLanguage}
      />
      {!sameForm(document, saved.document) && (
        <Notice>{t`Generated from version ${{ version: formatNumber(saved.version) }}. Unsaved changes aren't included.`}</Notice>
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
  if (code.isError)
    return <ErrorState title={t`Couldn't load the code`} error={code.error} onRetry={() => code.refetch()} />
  const words = name
    .match(/[A-Za-z0-9]+/g)
    ?.join('-')
    .toLowerCase()
  const file = `${words ?? 'review-type'}.${ENDINGS[language]}`
  return (
    <>
      <div className="flex gap-2">
        <CopyButton text={code.data} />
        <Button size="small" icon={<Download />} onClick={() => download(file, code.data)}>
          {t`Download`}
        </Button>
      </div>
      <CodeText
        label={t({ message: 'Code', comment: 'Generated source code' })}
        text={code.data}
        className="max-h-none"
      />
    </>
  )
}
