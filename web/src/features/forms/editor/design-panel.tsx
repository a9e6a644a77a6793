import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { PreviewPane } from '../live/preview-pane'
import { usePreview } from '../live/use-preview'
import { Canvas } from './canvas'
import { CommandArea, useCommands } from './commands'
import { DragArea } from './dragging'
import { Palette } from './palette'
import { SettingsPanel } from './settings-panel'
import { useWidth } from './use-width'

/** Palette, canvas and settings side by side, and the preview if there is room. */
export function DesignPanel() {
  const [ref, width] = useWidth<HTMLDivElement>()
  const [showsSettings, setShowsSettings] = useState(false)
  const openSettings = useCallback(() => setShowsSettings(true), [])
  const isNarrow = width > 0 && width < 820
  return (
    <div ref={ref} className="h-full min-h-0">
      <CommandArea openSettings={isNarrow ? openSettings : undefined}>
        <DragArea>
          {isNarrow ? (
            <div className="flex h-full min-h-0 flex-col">
              <NarrowTools onSettings={openSettings} />
              <div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
                <Canvas />
              </div>
            </div>
          ) : (
            <div className="flex h-full min-h-0">
              <div className="w-44 shrink-0 overflow-y-auto border-line border-e">
                <Palette />
              </div>
              <div className="min-w-0 flex-1 overflow-y-auto bg-canvas">
                <Canvas />
              </div>
              <aside
                aria-label={t`Properties`}
                className="w-72 shrink-0 overflow-y-auto border-line border-s"
              >
                <SettingsPanel />
              </aside>
              {width >= 1100 && <SidePanel />}
            </div>
          )}
        </DragArea>
      </CommandArea>
      <Dialog open={isNarrow && showsSettings} onClose={() => setShowsSettings(false)} title={t`Properties`}>
        <div className="-mx-4 -my-4">
          <SettingsPanel />
        </div>
      </Dialog>
    </div>
  )
}

function NarrowTools({ onSettings }: { onSettings: () => void }) {
  const { askWhat } = useCommands()
  return (
    <div className="flex gap-2 border-line border-b px-3 py-2">
      <Button icon={<Plus />} onClick={() => askWhat()}>
        {t`Add field`}
      </Button>
      <Button onClick={onSettings}>{t`Properties`}</Button>
    </div>
  )
}

function SidePanel() {
  const preview = usePreview()
  return (
    <aside
      aria-label={t`Live preview`}
      className="w-[clamp(20rem,30%,34rem)] shrink-0 overflow-y-auto border-line border-s p-4"
    >
      <PreviewPane preview={preview} />
    </aside>
  )
}
