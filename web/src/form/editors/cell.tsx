import { t } from '@lingui/core/macro'
import { type ComponentProps, useState } from 'react'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { classes } from '@/lib/classes'
import { formatValue } from '../format-value'
import type { FieldTypeName } from '../types'
import { getChildValue } from '../value-types/repeated'
import { Child } from './child'

/** Editors that need more room than a cell has. */
const WIDE_TYPES = new Set<FieldTypeName>([
  'markdown',
  'richText',
  'json',
  'code',
  'checkboxes',
  'video',
  'audio',
  'file',
])

/** A table cell: the editor itself, or, for large editors, the value and a button that opens the editor in a dialog. */
export function Cell(props: ComponentProps<typeof Child>) {
  const [open, setOpen] = useState(false)
  const { child, item, errors, place } = props
  if (!WIDE_TYPES.has(child.type)) {
    return <Child {...props} compact hideLabel />
  }
  const own = `${place}.${child.id}`
  const isWrong = errors.some(error => error.path.startsWith(own))
  const { label } = child
  const words = formatValue(child, getChildValue(item, child)).slice(0, 200)
  return (
    <div data-place={own}>
      <button
        type="button"
        aria-invalid={isWrong || undefined}
        aria-label={words === '' ? t`${label}: empty` : t`${label}: ${words}`}
        className={classes('input input-line flex max-w-64 items-center text-start hover:bg-sunken')}
        onClick={() => setOpen(true)}
      >
        <span dir="auto" className={classes('truncate', words === '' && 'text-muted')}>
          {words || t`Empty`}
        </span>
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={child.label}
        width="medium"
        actions={
          <Button kind="primary" onClick={() => setOpen(false)}>
            {t`Done`}
          </Button>
        }
      >
        <Child {...props} hideLabel />
      </Dialog>
    </div>
  )
}
