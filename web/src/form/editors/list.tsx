import { memo } from 'react'
import { formatNumber } from '@/lib/i18n'
import type { EditorProps } from '../editor-props'
import type { FieldOf } from '../types'
import { useItems } from '../use-items'
import { getChildFields, getOnlyChild } from '../value-types/repeated'
import { AddItem } from './add-item'
import { Child } from './child'
import { EmptyValue } from './empty-value'
import { ItemButtons } from './item-buttons'
import { getPageItems, type ItemProps } from './item-props'
import { ITEM_TEXTS } from './item-texts'
import { PictureGrid } from './picture-grid'
import { Sortable, useSortablePlace } from './sortable'
import { usePages } from './use-pages'

const PAGE_SIZE = 20

export default function ListEditor(props: EditorProps<FieldOf<'list'>>) {
  return getOnlyChild(props.field)?.type === 'image' ? <PictureGrid {...props} /> : <Cards {...props} />
}

function Cards(props: EditorProps<FieldOf<'list'>>) {
  const { field, value, suggested, readOnly, onChange, errors, place, attributes } = props
  const items = useItems(field, value, suggested, readOnly, onChange)
  const pages = usePages({ keys: items.keys, size: PAGE_SIZE, field, place, errors, suggested, noun: 'item' })
  const shown = getPageItems(props, items, pages.start, pages.end)
  return (
    <div ref={pages.root} className="flex flex-col gap-2">
      {items.items.length === 0 && <EmptyValue />}
      {pages.pager && pages.summary}
      <Sortable
        keys={shown.map(each => each.itemKey)}
        noun="item"
        start={pages.start}
        total={items.items.length}
        onMove={items.actions.moveTo}
      >
        <ol aria-labelledby={attributes['aria-labelledby']} className="flex flex-col gap-2">
          {shown.map(each => (
            <Card key={each.itemKey} {...each} />
          ))}
        </ol>
      </Sortable>
      {pages.pager}
      <AddItem items={items} show={pages.show}>
        {ITEM_TEXTS.item.add()}
      </AddItem>
    </div>
  )
}

const Card = memo(function Card(props: ItemProps<FieldOf<'list'>>) {
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
  const sortable = useSortablePlace(itemKey, ITEM_TEXTS.item.reorder(index + 1), !mayMove)
  const isPlainRow = getOnlyChild(field) !== null
  const buttons = <ItemButtons {...props} noun="item" />
  return (
    <li
      ref={sortable.ref}
      style={sortable.style}
      data-place={place}
      className={
        isPlainRow
          ? 'flex items-start gap-1'
          : 'flex flex-col gap-2 rounded-lg border border-line bg-surface px-3 py-2'
      }
    >
      {isPlainRow ? (
        sortable.handle
      ) : (
        <div className="-me-1.5 flex items-center gap-1">
          {sortable.handle}
          <span className="flex-1 font-medium text-muted text-xs">{formatNumber(index + 1)}</span>
          {buttons}
        </div>
      )}
      <div className={isPlainRow ? 'min-w-0 flex-1' : 'flex flex-col gap-2.5'}>
        {getChildFields(field).map(child => (
          <Child
            key={child.id}
            parent={field}
            child={child}
            item={item}
            suggestedItem={suggestedItem}
            place={place}
            isKnown={isKnown}
            errors={errors}
            config={config}
            readOnly={readOnly}
            hideLabel={isPlainRow}
            onChange={next => actions.replace(index, next)}
          />
        ))}
      </div>
      {isPlainRow && buttons}
    </li>
  )
})
