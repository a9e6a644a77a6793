import { t } from '@lingui/core/macro'

/** Shown for a read-only field without a value. */
export function EmptyValue() {
  return <span className="text-muted italic">{t`Empty`}</span>
}
