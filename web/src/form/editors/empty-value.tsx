import { t } from '@lingui/core/macro'

/** What a field shows that can only be read and holds nothing. */
export function EmptyValue() {
  return <span className="text-muted italic">{t`Empty`}</span>
}
