import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { Suspense } from 'react'
import type { Review } from '@/api/review'
import { IconButton } from '@/components/button'
import { lazyPart } from '@/components/lazy'
import { Spinner } from '@/components/status'
import { Scroller } from '../scroller'

const HistoryPanel = lazyPart(() =>
  import('./history-panel').then(({ HistoryPanel }) => ({ default: HistoryPanel })),
)

/** The history next to the review if there is room for both, else as a sheet over it. */
export function HistoryPopover({
  review,
  open,
  onClose,
  isBeside,
}: {
  review: Review
  open: boolean
  onClose: () => void
  isBeside: boolean
}) {
  const panel = (
    <Suspense
      fallback={
        <div className="grid place-items-center p-8">
          <Spinner />
        </div>
      }
    >
      <HistoryPanel review={review} />
    </Suspense>
  )
  if (isBeside)
    return (
      open && (
        <aside aria-label={t`History`} className="flex w-88 shrink-0 flex-col border-line border-s bg-canvas">
          <header className="flex items-center border-line border-b py-2 ps-4 pe-2">
            <h2 className="flex-1 font-semibold">{t`History`}</h2>
            <IconButton label={t`Close history`} keys="h" icon={<X />} size="small" onClick={onClose} />
          </header>
          <Scroller label={t`Review history`}>{panel}</Scroller>
        </aside>
      )
    )
  return (
    <Dialog.Root open={open} onOpenChange={stays => !stays && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          tabIndex={-1}
          // Focus the sheet itself: its first button would show its tooltip over the content.
          onOpenAutoFocus={event => {
            event.preventDefault()
            ;(event.currentTarget as HTMLElement).focus()
          }}
          className="fixed inset-y-0 end-0 z-40 flex w-full flex-col bg-canvas shadow-float outline-none sm:max-w-md"
        >
          <header className="flex items-center border-line border-b py-2 ps-4 pe-2">
            <Dialog.Title className="flex-1 font-semibold">{t`History`}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t`Close history`} icon={<X />} />
            </Dialog.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto pb-[env(safe-area-inset-bottom)]">{panel}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
