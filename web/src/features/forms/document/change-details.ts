/** What changed inside a part of a review type, with the names and values that the editor shows. */

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { isSameJson } from '@/form/json'
import type { FieldTypeName, Json, JsonObject } from '@/form/types'
import { getLargestUnit, UNITS } from '@/lib/durations'
import { formatList, formatNumber, i18n, intl } from '@/lib/i18n'
import { findSetting, getTypeName } from './field-types'
import type { Difference } from './merge'
import { flattenTexts, getChildFields, getOptions } from './translations'
import { getGroups } from './tree'
import type { EditorDocument, EditorField, TimeLimitStep, TimeLimits, Unmapped, Width } from './types'

/** Null: there is no value. */
export type ChangeDetail = { id: string; label: string; from: string | null; to: string | null }

/** Returns the name for the ID of an agent, group, member or field, or the ID itself if there is none. */
export type Names = (id: string) => string

export const WIDTHS: Readonly<Record<Width, MessageDescriptor>> = {
  narrow: msg`Narrow (short fields)`,
  medium: msg`Medium (text)`,
  wide: msg`Wide (columns and tables)`,
  full: msg`Full width`,
}

const UNMAPPED: Readonly<Record<Unmapped, MessageDescriptor>> = {
  show: msg`Show them below the fields`,
  hide: msg`Hide them`,
  reject: msg`Reject the request`,
}

/** The members of a field besides its settings. */
const FIELD_MEMBERS: Readonly<Record<string, MessageDescriptor>> = {
  id: msg`ID`,
  type: msg`Type`,
  path: msg`Path`,
  default: msg`Default`,
}

/**
 * The details of a part that one side changed. The layout and rules are merged as a whole, so they have none.
 * Translations have the names that `documents` give to their originals; the last one wins.
 */
export function getChangeDetails(
  difference: Difference,
  side: 'mine' | 'theirs',
  names: Names,
  documents: readonly EditorDocument[],
): ChangeDetail[] {
  const [from, to] = [difference.base, difference[side]]
  if (difference.id === 'layout' || difference.id.startsWith('rules ')) return []
  if (difference.id.startsWith('translations ')) return getTextDetails(from, to, documents)
  if (difference.id.startsWith('field '))
    return getFieldDetails(from as unknown as EditorField, to as unknown as EditorField)
  return [
    {
      id: difference.id,
      label: difference.label,
      from: getMemberText(difference.id, from, names),
      to: getMemberText(difference.id, to, names),
    },
  ]
}

function getTextDetails(
  from: Json | undefined,
  to: Json | undefined,
  documents: readonly EditorDocument[],
): ChangeDetail[] {
  const [before, after] = [flattenTexts(from), flattenTexts(to)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(place => before.get(place) !== after.get(place))
    .map(place => ({
      id: place,
      label: getTextLabel(JSON.parse(place) as string[], documents),
      from: before.get(place) ?? null,
      to: after.get(place) ?? null,
    }))
}

/** The name of the text that's at this path in the translations, such as `fields`, `headline`, `label`. */
function getTextLabel(path: readonly string[], documents: readonly EditorDocument[]): string {
  const [kind, id = '', ...inside] = path
  if (kind === 'groups') {
    const group = documents.flatMap(each => getGroups(each.layout)).findLast(each => each.id === id)
    return t`${{ field: group?.label || id }}: ${{ setting: t`Heading` }}`
  }
  if (kind !== 'fields') return t`Name`
  const fields = documents.flatMap(each => each.fields).filter(each => each.id === id)
  const label = getLabel(fields, id)
  if (inside[0] !== 'fields') return t`${{ field: label }}: ${{ setting: getSettingLabel(inside, fields) }}`
  const [, childId = '', ...rest] = inside
  const children = fields.flatMap(getChildFields).filter(each => each.id === childId)
  return t`${label}, ${{ child: getLabel(children, childId) }}: ${{ setting: getSettingLabel(rest, children) }}`
}

/** An option has one text, its label, and goes by the original of it. */
function getSettingLabel([setting = '', id = '']: readonly string[], fields: readonly EditorField[]): string {
  if (setting !== 'options')
    return getFieldMemberName(
      setting,
      fields.map(field => field.type),
    )
  return getLabel(
    fields.flatMap(getOptions).filter(option => option.id === id),
    id,
  )
}

const getLabel = (labelled: readonly { label?: string }[], id: string): string =>
  labelled.findLast(each => each.label)?.label ?? id

function getMemberText(member: string, value: Json | undefined, names: Names): string | null {
  if (value === undefined || value === null || value === '') return null
  switch (member) {
    case 'width':
      return i18n._(WIDTHS[value as Width])
    case 'unmapped':
      return i18n._(UNMAPPED[value as Unmapped])
    case 'agentId':
    case 'titleField':
      return names(String(value))
    case 'defaultReviewers': {
      const reviewers = Object.values(value as { [kind: string]: string[] }).flat()
      return reviewers.length > 0 ? formatList(reviewers.map(names)) : null
    }
    case 'timeLimits':
      return getDeadlinesText(value as TimeLimits, names)
    default:
      return getValueText(value)
  }
}

function getDeadlinesText({ steps, calendar }: TimeLimits, names: Names): string {
  const inOrder = formatList(steps.map(step => getStepText(step, names)))
  if (calendar === null) return inOrder
  const { from, until, timeZone } = calendar
  const days = formatList(calendar.days.map(weekday))
  return t`${{ steps: inOrder }} (business hours: ${days}, ${from}–${until}, ${timeZone})`
}

function getStepText({ afterMinutes, action, to }: TimeLimitStep, names: Names): string {
  const unit = getLargestUnit(afterMinutes)
  const delay = formatNumber(afterMinutes / UNITS[unit], {
    style: 'unit',
    unit: UNIT_CODES[unit],
    unitDisplay: 'long',
  })
  switch (action) {
    case 'remind':
      return t`remind reviewers after ${delay}`
    case 'handOver': {
      const reviewers = formatList([...(to?.users ?? []), ...(to?.groups ?? [])].map(names))
      return t`escalate to ${reviewers} after ${delay}`
    }
    case 'reject':
      return t`auto-reject after ${delay}`
    case 'approve':
      return t`auto-approve after ${delay}`
  }
}

const UNIT_CODES = { minutes: 'minute', hours: 'hour', days: 'day' } as const

/** 1 is Monday; the first day of 2024 was one. */
const weekday = (day: number): string =>
  intl(Intl.DateTimeFormat, { weekday: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, day)))

/** The settings of a field that differ, including those of its child fields. */
function getFieldDetails(from: EditorField, to: EditorField): ChangeDetail[] {
  const members = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return members
    .filter(member => !isSameJson(from[member] ?? null, to[member] ?? null))
    .flatMap((member): ChangeDetail[] => {
      const label = getFieldMemberName(member, [to.type, from.type])
      const inside = getChildDetails(member, label, from[member], to[member])
      const ids = (value: Json | undefined) => getNamed(value).map(each => each.id)
      if (inside.length > 0 && isSameJson(ids(from[member]), ids(to[member]))) return inside
      return [
        { id: member, label, from: getFieldText(member, from), to: getFieldText(member, to) },
        ...inside,
      ]
    })
}

function getFieldMemberName(member: string, types: readonly FieldTypeName[]): string {
  // A text has the settings that all types have.
  const settings = [...types, 'text' as const].map(type => findSetting(type, member))
  const label = FIELD_MEMBERS[member] ?? settings.find(each => each !== undefined)?.label
  return label ? i18n._(label) : member
}

function getFieldText(member: string, field: EditorField): string | null {
  const value = field[member]
  if (value === undefined || value === null || value === '') return null
  if (member === 'type') return getTypeName(field.type)
  if (member === 'default') return getDefaultText(value, field)
  return getValueText(value)
}

/** The label of a default option. */
function getDefaultText(value: Json, field: EditorField): string {
  const options = getNamed(field.options)
  const chosen = (Array.isArray(value) ? value : [value]).map(id => options.find(each => each.id === id))
  const labels = chosen.flatMap(option => (option ? [option.label || option.id] : []))
  return labels.length > 0 && labels.length === chosen.length ? formatList(labels) : getValueText(value)
}

/** What differs within options or child fields that both sides have. */
function getChildDetails(
  member: string,
  label: string,
  from: Json | undefined,
  to: Json | undefined,
): ChangeDetail[] {
  return getNamed(to).flatMap(child => {
    const before = getNamed(from).find(each => each.id === child.id)
    if (before === undefined || !('type' in child)) return []
    return getFieldDetails(before as EditorField, child as EditorField).map(each => ({
      ...each,
      id: `${member} ${child.id} ${each.id}`,
      label: t`${label}, ${{ child: before.label || child.id }}: ${{ setting: each.label }}`,
    }))
  })
}

type Named = { id: string; label?: string }

const getNamed = (value: Json | undefined): Named[] =>
  (Array.isArray(value) ? value : []).filter(isNamed) as unknown as Named[]

const isNamed = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.id === 'string'

const MAX_CHARACTERS = 160

function getValueText(value: Json): string {
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 20 })
  const named = getNamed(value)
  const text =
    typeof value === 'string'
      ? value
      : named.length > 0
        ? formatList(named.map(nameWithId))
        : JSON.stringify(value)
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}

/** An option with its ID, which agents send; a child field by its label. */
const nameWithId = (each: Named): string => {
  const name = each.label || each.id
  return 'type' in each || name === each.id ? name : t`${name} (${{ id: each.id }})`
}
