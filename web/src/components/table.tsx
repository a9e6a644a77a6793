import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'

export type Column = {
  label: string
  /** The label is only read out: the column's content speaks for itself. */
  isLabelHidden?: boolean
  /** Shown in place of the label. */
  head?: ReactNode
  className?: string
}

type Props = {
  /** The accessible name. */
  label: string
  columns: readonly Column[]
  /** Small, in a bordered box: its rows scroll below the column labels. */
  boxed?: boolean
  /** The rows: `tr` with one `td` for each column, with the column's classes. */
  children: ReactNode
}

/**
 * A wide table scrolls in its own box, so that the page never scrolls sideways. On a phone, leave out columns with
 * `max-md:hidden`, and show their content in another cell.
 */
export function Table({ label, columns, boxed = false, children }: Props) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable
      tabIndex={0}
      className={
        boxed
          ? 'max-h-52 min-h-32 overflow-auto rounded border border-line'
          : 'relative overflow-x-auto rounded-sm'
      }
    >
      <table className={classes('data-table', boxed && 'data-table-boxed')}>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.label} scope="col" className={column.className}>
                {column.head ??
                  (column.isLabelHidden ? <span className="sr-only">{column.label}</span> : column.label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
