import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { CopyButton } from '@/components/copy-button'
import { NativeSelect } from '@/components/input'
import { CodeText } from './code-text'
import type { PreviewState } from './use-preview'

/** What the agent gets when the review is approved as shown in the preview. */
export function ResultPanel({ preview }: { preview: PreviewState }) {
  const [what, setWhat] = useState<'values' | 'event'>('values')
  const text = JSON.stringify(what === 'values' ? preview.responseValues : preview.event, null, 2)
  return (
    <section aria-label={t`Result`} className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-8 items-center">
        <h2 className="flex-1 font-semibold">{t`Result`}</h2>
      </header>
      <div className="flex items-center gap-2">
        <NativeSelect
          aria-label={t`Result format`}
          className="w-auto"
          value={what}
          onChange={event => setWhat(event.target.value as 'values' | 'event')}
        >
          <option value="values">responseValues</option>
          <option value="event">{t`Full event`}</option>
        </NativeSelect>
        <span className="flex-1" />
        <CopyButton text={text} />
      </div>
      <CodeText label={t`Result JSON`} text={text} />
      <p className="text-muted text-sm">
        {t`Edit the preview to see how the result changes. IDs in the event are placeholders.`}
      </p>
    </section>
  )
}
