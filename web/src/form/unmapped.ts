/** Values from the agent that no field shows. The server finds them; they are sent back unchanged with the decision. */

import { plural, t } from '@lingui/core/macro'
import { formatNumber } from '@/lib/i18n'
import type { Json, UnmappedValue } from './types'

const MAX_NAME_LENGTH = 200

/** `rows › 3 › sku`. Positions count from 1, as people do. */
export const formatUnmappedPath = (path: UnmappedValue['path']): string =>
  path
    .map(step => (typeof step === 'number' ? formatNumber(step + 1) : shorten(step === '' ? '""' : step)))
    .join(' › ')

const shorten = (name: string): string =>
  name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`

/** Values that are part of the result now: the value of a field that rules hide isn't sent back. */
export const filterSentBack = (
  unmapped: readonly UnmappedValue[],
  isHidden: (fieldId: string) => boolean,
): UnmappedValue[] => unmapped.filter(({ fieldId }) => !fieldId || !isHidden(fieldId))

export const formatCount = (count: number): string =>
  t`${plural(count, { one: '# value', other: '# values' })}`

/** Text as it is; anything else as JSON. */
export const formatUnmappedValue = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)
