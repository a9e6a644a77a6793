import { useState } from 'react'
import { type JsonObject, SourceInput } from '@/form'
import { useEditor } from '../editor/editor-context'

/** The data of the sample as JSON. What can be read is taken over at once. */
export function SampleEditor() {
  const { sample } = useEditor()
  const [text, setText] = useState(() => JSON.stringify(sample.data, null, 2))
  const [fault, setFault] = useState<string | null>(null)
  const change = (typed: string) => {
    setText(typed)
    try {
      const read: unknown = JSON.parse(typed)
      if (typeof read !== 'object' || read === null || Array.isArray(read)) {
        setFault('It must be an object, { … }.')
        return
      }
      sample.set(read as JsonObject)
      setFault(null)
    } catch {
      setFault('This is not JSON yet.')
    }
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p id="sample-label" className="text-muted text-sm">
        The <code className="font-mono text-xs">data</code> of the request:
      </p>
      <SourceInput
        text={text}
        language="json"
        onChange={change}
        ties={{ id: 'sample', 'aria-labelledby': 'sample-label', ...(fault && { 'aria-invalid': true }) }}
      />
      {fault && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
    </div>
  )
}
