import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type JsonObject, SourceInput } from '@/form'
import { useEditor } from '../editor/editor-context'
import { describeJsonError } from './json-error'

/** The sample data as JSON. Valid JSON takes effect as it is typed. */
export function SampleEditor() {
  const { sample } = useEditor()
  const [text, setText] = useState(() => JSON.stringify(sample.data, null, 2))
  const [error, setError] = useState<string | null>(null)
  const change = (typed: string) => {
    setText(typed)
    try {
      const read: unknown = JSON.parse(typed)
      if (typeof read !== 'object' || read === null || Array.isArray(read)) {
        setError(t`Enter a JSON object.`)
        return
      }
      sample.set(read as JsonObject)
      setError(null)
    } catch {
      setError(describeJsonError(typed))
    }
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p id="sample-label" className="text-muted text-sm">
        <Trans>
          Request <code className="font-mono text-xs">data</code>
        </Trans>
      </p>
      <SourceInput
        text={text}
        language="json"
        onChange={change}
        attributes={{
          id: 'sample',
          'aria-labelledby': 'sample-label',
          ...(error && { 'aria-invalid': true }),
        }}
      />
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
