import { t } from '@lingui/core/macro'
import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy'
import { LoadingDialog } from '@/components/loading-dialog'
import type { NameDialogProps } from './name-dialog-form'

const NameDialogForm = lazyPart(() => import('./name-dialog-form'))

/** Loaded when it's opened: it's rarely needed. */
export function NameDialog(props: NameDialogProps) {
  const title = 'view' in props ? t`Rename view` : t`Save view`
  return (
    <Suspense fallback={<LoadingDialog title={title} onClose={props.onClose} />}>
      <NameDialogForm {...props} />
    </Suspense>
  )
}
