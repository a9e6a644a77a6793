import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Segments } from '@/components/segments'
import { useWidth } from '../editor/use-width'
import { PreviewPane } from './preview-pane'
import { RequestPanel } from './request-panel'
import { ResultPanel } from './result-panel'
import { usePreview } from './use-preview'

type Pane = 'preview' | 'sends' | 'back'

/** Request, preview and result side by side, or one at a time on a narrow screen. */
export default function TryPanel() {
  const preview = usePreview()
  const [ref, width] = useWidth<HTMLDivElement>()
  const [shown, setShown] = useState<Pane>('preview')
  const panes: { id: Pane; label: string }[] = [
    { id: 'preview', label: t`Preview` },
    { id: 'sends', label: t`Request` },
    { id: 'back', label: t`Result` },
  ]
  const isWide = width >= 960
  const shows = (id: Pane) => isWide || shown === id
  return (
    <div ref={ref} className="flex flex-col gap-4 p-4">
      {!isWide && (
        <Segments
          label={t({ message: 'View', context: 'noun' })}
          options={panes}
          value={shown}
          onChange={setShown}
        />
      )}
      <div
        className={isWide ? 'grid grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)_minmax(0,1fr)] gap-6' : 'min-w-0'}
      >
        {shows('sends') && <RequestPanel />}
        {shows('preview') && <PreviewPane preview={preview} />}
        {shows('back') && <ResultPanel preview={preview} />}
      </div>
    </div>
  )
}
