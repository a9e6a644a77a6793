import { t } from '@lingui/core/macro'
import { Button } from '@/components/button'
import { Notice } from '@/components/status'

/** The form was changed while someone fills it out: they choose when to load the new version. */
export function FormOutdated({ onShow }: { onShow: () => void }) {
  return (
    <div role="status">
      <Notice
        tone="warn"
        actions={
          <Button size="small" onClick={onShow}>
            {t`Load new version`}
          </Button>
        }
      >
        {t`This form was updated. Loading the new version keeps your answers where they still apply.`}
      </Notice>
    </div>
  )
}
