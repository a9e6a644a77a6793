import { t } from '@lingui/core/macro'
import { memo } from 'react'
import { formatNumber } from '@/lib/i18n'
import type { EditorProps } from '../editor-props'
import type { ChildField, FieldOf } from '../types'
import { useItems } from '../use-items'
import { AddItem } from './add-item'
import { Cell } from './cell'
import { EmptyValue } from './empty-value'
import { ItemButtons } from './item-buttons'
import { getPageItems, type ItemProps } from './item-props'
import { ITEM_TEXTS } from './item-texts'
import { Sortable, useSortablePlace } from './sortable'
import { usePages } from './use-pages'

const PAGE_SIZE = 50

export default function TableEditor(props: EditorProps<FieldOf<'table'>>) {
  const { field, value, suggested, readOnly, onChange, errors, place, attributes } = props
  const items = useItems(field, value, suggested, readOnly, onChange)
  const pages = usePages({ keys: items.keys, size: PAGE_SIZE, field, place, errors, suggested, noun: 'row' })
  const shown = getPageItems(props, items, pages.start, pages.end)
  const hasActions = items.mayMove || items.mayRemove
  return (
    <div ref={pages.root} className="flex flex-col gap-2">
      {items.items.length === 0 ? <EmptyValue /> : pages.summary}
      <Sortable
        keys={shown.map(each => each.itemKey)}
        noun="row"
        start={pages.start}
        total={items.items.length}
        onMove={items.actions.moveTo}
      >
        {items.items.length > 0 && (
          <section
            aria-labelledby={attributes['aria-labelledby']}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
            tabIndex={0}
            // The header stays visible, so the rows scroll inside.
            className="relative max-h-[75dvh] scroll-pt-10 overflow-auto rounded-lg border border-line bg-surface"
          >
            <table
              className="w-full border-collapse text-start"
              aria-labelledby={attributes['aria-labelledby']}
            >
              <thead className="sticky top-0 z-[1] bg-sunken text-sm shadow-[inset_0_-1px_0_var(--line)]">
                <tr>
                  <th scope="col" className="w-10 px-2 py-1.5 font-medium text-muted">
                    <span className="sr-only">{t`Row`}</span>
                  </th>
                  {field.columns.map(column => (
                    <th
                      key={column.id}
                      scope="col"
                      className="whitespace-nowrap px-2 py-1.5 font-medium"
                      title={column.help}
                    >
                      <ColumnName column={column} />
                    </th>
                  ))}
                  {hasActions && (
                    <th scope="col" className="w-px px-2">
                      <span className="sr-only">{t`Actions`}</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {shown.map(each => (
                  <Row key={each.itemKey} {...each} hasActions={hasActions} />
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Sortable>
      {pages.pager}
      <AddItem items={items} show={pages.show}>
        {ITEM_TEXTS.row.add()}
      </AddItem>
    </div>
  )
}

function ColumnName({ column }: { column: ChildField }) {
  return (
    <>
      <span dir="auto">{column.label}</span>
      {column.required && (
        <span aria-hidden="true" className="ms-0.5 text-bad">
          *
        </span>
      )}
    </>
  )
}

const Row = memo(function Row(props: ItemProps<FieldOf<'table'>> & { hasActions: boolean }) {
  const {
    field,
    config,
    errors,
    readOnly,
    itemKey,
    index,
    item,
    suggestedItem,
    isKnown,
    mayMove,
    actions,
    place,
  } = props
  const sortable = useSortablePlace(itemKey, ITEM_TEXTS.row.reorder(index + 1), !mayMove)
  return (
    <tr
      ref={sortable.ref}
      style={sortable.style}
      data-place={place}
      className="border-line align-top not-last:border-b"
    >
      <td className="whitespace-nowrap px-1 py-1.5 text-muted text-xs">
        <span className="flex h-8 items-center pointer-coarse:min-h-11">
          {sortable.handle}
          <span className="min-w-4 px-1 text-end">{formatNumber(index + 1)}</span>
        </span>
      </td>
      {field.columns.map(column => (
        <td key={column.id} className="min-w-24 px-1.5 py-1.5 max-md:min-w-36">
          <Cell
            parent={field}
            child={column}
            item={item}
            suggestedItem={suggestedItem}
            place={place}
            isKnown={isKnown}
            errors={errors}
            config={config}
            readOnly={readOnly}
            onChange={next => actions.replace(index, next)}
          />
        </td>
      ))}
      {props.hasActions && (
        <td className="px-1 py-1.5">
          <ItemButtons {...props} noun="row" />
        </td>
      )}
    </tr>
  )
})
