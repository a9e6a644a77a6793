import { msg } from '@lingui/core/macro'
import { i18n } from '@/lib/i18n'
import { CATEGORIES, FIELD_TYPES, TYPE_NAMES } from '../document/field-types'
import type { PaletteKind } from '../document/operations'

export type PaletteItem = { kind: PaletteKind; name: string; about: string }

export type PaletteGroup = { id: string; heading: string; items: readonly PaletteItem[] }

const BOXES = [
  { kind: 'columns', name: msg`Columns`, about: msg`Fields side by side` },
  { kind: 'grid', name: msg`Grid`, about: msg`Fields in equal-width cells` },
  { kind: 'group', name: msg`Group`, about: msg`Fields under a heading` },
] as const

const GROUPS = [
  { id: 'layout', heading: msg`Layout`, items: BOXES },
  ...CATEGORIES.map(({ id, heading }) => ({
    id,
    heading,
    items: TYPE_NAMES.filter(type => FIELD_TYPES[type].category === id).map(type => ({
      kind: type,
      name: FIELD_TYPES[type].name,
      about: FIELD_TYPES[type].about,
    })),
  })),
]

/** Everything that can be added to the canvas, grouped by purpose, in the language of the page. */
export const palette = (): PaletteGroup[] =>
  GROUPS.map(({ id, heading, items }) => ({
    id,
    heading: i18n._(heading),
    items: items.map(({ kind, name, about }) => ({ kind, name: i18n._(name), about: i18n._(about) })),
  }))

export const getPaletteName = (kind: PaletteKind): string =>
  palette()
    .flatMap(({ items }) => items)
    .find(item => item.kind === kind)?.name ?? kind
