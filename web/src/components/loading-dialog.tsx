import { Dialog } from './dialog'
import { Spinner } from './status'

/**
 * Stands for a window whose code is still on its way. It has the keyboard from the first moment: what is typed meanwhile
 * must not reach the page below, where an `a` approves.
 */
export function LoadingDialog({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <Spinner />
    </Dialog>
  )
}
