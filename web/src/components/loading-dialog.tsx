import { Dialog } from './dialog'
import { Spinner } from './status'

/**
 * A dialog whose code is still loading. It has focus from the start: keys typed now must not reach the page below,
 * where `a` approves.
 */
export function LoadingDialog({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <Spinner />
    </Dialog>
  )
}
