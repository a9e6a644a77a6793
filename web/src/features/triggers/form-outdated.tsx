import { Button } from '@/components/button'
import { Notice } from '@/components/status'

/** The form was changed while somebody fills it in: they say when to go on with the new one. */
export function FormOutdated({ onShow }: { onShow: () => void }) {
  return (
    <div role="status">
      <Notice
        tone="warn"
        actions={
          <Button size="small" onClick={onShow} className="max-md:h-11">
            Show the new one
          </Button>
        }
      >
        This form was changed meanwhile. What you filled in stays, as far as it fits.
      </Notice>
    </div>
  )
}
