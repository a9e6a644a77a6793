import { plural, t } from '@lingui/core/macro'
import { memo, useCallback, useState } from 'react'
import { Button } from '@/components/button'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'
import { type EditorProps, toText } from '../editor-props'
import type { ChildField, FieldOf } from '../types'
import { useItems } from '../use-items'
import { getChildValue, getItems, getOnlyChild } from '../value-types/repeated'
import { AddItem } from './add-item'
import { Child } from './child'
import { EmptyValue } from './empty-value'
import { ItemButtons } from './item-buttons'
import { getPageItems, type ItemProps } from './item-props'
import { ITEM_TEXTS } from './item-texts'
import { Picture } from './picture'
import { Sortable, useSortablePlace } from './sortable'
import { usePages } from './use-pages'

const PAGE_SIZE = 60

/** A list of images: an overview in which to enlarge, sort and select them. */
export function PictureGrid(props: EditorProps<FieldOf<'list'>>) {
  const { field, value, suggested, readOnly, onChange, errors, place, attributes } = props
  const items = useItems(field, value, suggested, readOnly, onChange)
  const pages = usePages({
    keys: items.keys,
    size: PAGE_SIZE,
    field,
    place,
    errors,
    suggested,
    noun: 'image',
  })
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const pick = useCallback((key: string) => setPicked(before => toggleItem(before, key)), [])
  const child = getOnlyChild(field)
  if (child === null) return null
  const shown = getPageItems(props, items, pages.start, pages.end)
  const sent = new Set(getItems(suggested).map(item => getChildValue(item, child)))
  const chosen = items.keys.flatMap((key, index) => (picked.has(key) ? [index] : []))
  const others = items.keys.flatMap((key, index) => (picked.has(key) ? [] : [index]))
  const remove = (indexes: readonly number[]) => {
    items.actions.remove(indexes)
    setPicked(new Set())
  }
  return (
    <div ref={pages.root} className="flex flex-col gap-2">
      {items.items.length === 0 && <EmptyValue />}
      {pages.pager && pages.summary}
      {chosen.length > 0 && items.mayRemove && (
        <div className="flex flex-wrap items-center gap-2" aria-live="polite">
          <span className="text-sm">{getSelectedText(chosen.length)}</span>
          <Button size="small" onClick={() => remove(others)} disabled={others.length === 0}>
            {t`Keep only selected`}
          </Button>
          <Button size="small" kind="danger" onClick={() => remove(chosen)}>
            {t`Remove selected`}
          </Button>
          <Button size="small" kind="quiet" onClick={() => setPicked(new Set())}>
            {t`Clear selection`}
          </Button>
        </div>
      )}
      <Sortable
        keys={shown.map(each => each.itemKey)}
        noun="image"
        start={pages.start}
        total={items.items.length}
        onMove={items.actions.moveTo}
      >
        <ol
          aria-labelledby={attributes['aria-labelledby']}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))] gap-2"
        >
          {shown.map(each => (
            <Tile
              key={each.itemKey}
              {...each}
              child={child}
              isNew={!sent.has(getChildValue(each.item, child))}
              isPicked={picked.has(each.itemKey)}
              onPick={pick}
            />
          ))}
        </ol>
      </Sortable>
      {pages.pager}
      <AddItem items={items} show={pages.show}>
        {ITEM_TEXTS.image.add()}
      </AddItem>
    </div>
  )
}

const getSelectedText = (count: number): string =>
  t`${plural(count, { one: '# selected', other: '# selected' })}`

function toggleItem(all: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(all)
  if (!next.delete(key)) next.add(key)
  return next
}

type TileProps = ItemProps<FieldOf<'list'>> & {
  child: ChildField
  isNew: boolean
  isPicked: boolean
  onPick: (key: string) => void
}

const Tile = memo(function Tile(props: TileProps) {
  const {
    field,
    config,
    errors,
    readOnly,
    itemKey,
    index,
    item,
    isKnown,
    mayMove,
    mayRemove,
    actions,
    place,
  } = props
  const { child, isNew, isPicked, onPick } = props
  const sortable = useSortablePlace(itemKey, ITEM_TEXTS.image.reorder(index + 1), !mayMove)
  const address = toText(getChildValue(item, child))
  const isOpen = address === '' || isNew || errors.length > 0
  return (
    <li
      ref={sortable.ref}
      style={sortable.style}
      data-place={place}
      className={classes(
        'flex flex-col gap-1 rounded-lg border bg-surface p-1',
        isPicked ? 'border-accent' : 'border-line',
      )}
    >
      {address !== '' && !(isOpen && !readOnly) && (
        <Picture
          address={address}
          label={`${field.label} ${formatNumber(index + 1)}`}
          isNew={isNew}
          className="aspect-square w-full"
        />
      )}
      {isOpen && !readOnly && (
        <Child
          parent={field}
          child={child}
          item={item}
          suggestedItem={null}
          place={place}
          isKnown={isKnown}
          errors={errors}
          config={config}
          readOnly={readOnly}
          hideLabel
          onChange={next => actions.replace(index, next)}
        />
      )}
      <div className="flex flex-wrap items-center">
        {sortable.handle}
        {mayRemove && (
          <label className="flex size-7 cursor-pointer items-center justify-center pointer-coarse:min-h-11 pointer-coarse:min-w-11">
            <input
              type="checkbox"
              aria-label={t`Select image ${{ number: formatNumber(index + 1) }}`}
              className="size-4 accent-(--accent-solid)"
              checked={isPicked}
              onChange={() => onPick(itemKey)}
            />
          </label>
        )}
        <span className="flex-1 px-1 text-muted text-xs">{formatNumber(index + 1)}</span>
        {!readOnly && <ItemButtons {...props} noun="image" />}
      </div>
    </li>
  )
})
