import { t } from '@lingui/core/macro'
import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy'
import { Opening } from '@/components/opening'
import type { NameDialogProps } from './name-dialog-form'

const NameDialogForm = lazyPart(() => import('./name-dialog-form'))

/** Loaded when it's opened: people name a view once. */
export function NameDialog(props: NameDialogProps) {
  const title = 'view' in props ? t`Rename view` : t`Save view`
  return (
    <Suspense fallback={<Opening title={title} onClose={props.onClose} />}>
      <NameDialogForm {...props} />
    </Suspense>
  )
}
