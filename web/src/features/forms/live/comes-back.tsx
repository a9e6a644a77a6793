import { useState } from 'react'
import { Copy } from '@/components/copy'
import { NativeSelect } from '@/components/input'
import { CodeText } from './code-text'
import type { PreviewState } from './use-preview'

/** What the agent hears when the review, as it stands in the preview, is approved. */
export function ComesBack({ preview }: { preview: PreviewState }) {
  const [what, setWhat] = useState<'values' | 'event'>('values')
  const text = JSON.stringify(what === 'values' ? preview.responseValues : preview.event, null, 2)
  return (
    <section aria-label="Comes back" className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-8 items-center">
        <h2 className="flex-1 font-semibold">Comes back</h2>
      </header>
      <div className="flex items-center gap-2">
        <NativeSelect
          aria-label="What comes back"
          className="w-auto!"
          value={what}
          onChange={event => setWhat(event.target.value as 'values' | 'event')}
        >
          <option value="values">responseValues</option>
          <option value="event">The whole event</option>
        </NativeSelect>
        <span className="flex-1" />
        <Copy text={text} />
      </div>
      <CodeText label="What comes back" text={text} />
      <p className="text-muted text-sm">
        Edit the preview as a reviewer would, and see it here. IDs in the event are stand-ins.
      </p>
    </section>
  )
}
