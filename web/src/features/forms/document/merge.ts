/**
 * Merges two people's changes to one review type: what each changed, and both together unless they changed the same
 * part.
 */

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Texts, Translations } from '@/api/forms/localize'
import { isSameJson } from '@/form/json'
import type { Json, Rule } from '@/form/types'
import { i18n } from '@/lib/i18n'
import { languageLabel } from '@/lib/language-names'
import { getTypeName } from './field-types'
import { addMissingFields } from './read'
import {
  flattenTexts,
  nestTexts,
  withoutTranslations,
  withTranslations,
  writeTranslations,
} from './translations'
import { getFieldIds, getGroups, mapContainers } from './tree'
import type { EditorDocument, EditorField } from './types'
import { withoutKeys } from './write'

/** A unit of change: a member, a field, the layout, the rules about one target, or the texts in one language. */
export type Part = { id: string; label: string }

export type Side = 'base' | 'mine' | 'theirs'

export type Difference = Part & {
  base: Json | undefined
  mine: Json | undefined
  theirs: Json | undefined
  /** Both sides changed it, in different ways. */
  isConflict: boolean
}

const MEMBERS: Readonly<Record<string, MessageDescriptor>> = {
  name: msg`Name`,
  description: msg`Description`,
  agentId: msg`Agent`,
  titleField: msg`Title field`,
  width: msg`Width`,
  unmapped: msg`Values without a field`,
  autoApprove: msg`Auto-approve`,
  allowRetry: msg`Request changes`,
  decideFromChat: msg`Decisions from Slack`,
  allowExternalReviewers: msg`External reviewers`,
  trigger: msg`Trigger form`,
  defaultReviewers: msg`Default reviewers`,
  webhookUrl: msg`Webhook URL`,
  toolWebhookUrl: msg`Tool webhook URL`,
  timeLimits: msg`Deadlines`,
}

/** The editor's name for a member of a review type; undefined for fields, layout and rules. */
export function getMemberName(member: string): string | undefined {
  const name = MEMBERS[member]
  return name && i18n._(name)
}

function getParts(document: EditorDocument): Map<string, Json> {
  const parts = new Map<string, Json>()
  for (const name of Object.keys(MEMBERS)) parts.set(name, document[name as keyof EditorDocument] as Json)
  for (const field of document.fields)
    parts.set(`field ${field.id}`, withoutTranslations(field) as unknown as Json)
  parts.set('layout', withoutKeys(document.layout) as unknown as Json)
  for (const rule of document.rules) {
    const known = (parts.get(`rules ${rule.target}`) as Json[] | undefined) ?? []
    parts.set(`rules ${rule.target}`, [...known, rule as unknown as Json])
  }
  for (const [language, texts] of Object.entries(writeTranslations(document) ?? {}))
    parts.set(`translations ${language}`, texts as Json)
  return parts
}

function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return isSameJson(left, right)
}

export function findDifferences(
  base: EditorDocument,
  mine: EditorDocument,
  theirs: EditorDocument,
): Difference[] {
  const [before, own, other] = [getParts(base), getParts(mine), getParts(theirs)]
  const ids = new Set([...before.keys(), ...own.keys(), ...other.keys()])
  return [...ids].flatMap(id => {
    const found = { base: before.get(id), mine: own.get(id), theirs: other.get(id) }
    const isMine = !isSame(found.base, found.mine)
    const isTheirs = !isSame(found.base, found.theirs)
    if (!isMine && !isTheirs) return []
    const isConflict =
      isMine && isTheirs && (isLanguage(id) ? hasTextConflict(found) : !isSame(found.mine, found.theirs))
    return [{ id, label: getLabel(id, [mine, theirs, base]), ...found, isConflict }]
  })
}

const isLanguage = (id: string) => id.startsWith('translations ')

type Sides = Pick<Difference, 'base' | 'mine' | 'theirs'>

/** Each text by its path, with its value on every side. Undefined: one side removed the language. */
function getSideTexts({ base, mine, theirs }: Sides) {
  if (mine === undefined || theirs === undefined) return undefined
  const [before, own, other] = [flattenTexts(base), flattenTexts(mine), flattenTexts(theirs)]
  return [...new Set([...own.keys(), ...other.keys()])].map(place => ({
    place,
    base: before.get(place),
    mine: own.get(place),
    theirs: other.get(place),
  }))
}

const isTextConflict = (text: { base?: string; mine?: string; theirs?: string }) =>
  text.mine !== text.base && text.theirs !== text.base && text.mine !== text.theirs

function hasTextConflict(sides: Sides): boolean {
  const texts = getSideTexts(sides)
  return texts ? texts.some(isTextConflict) : !isSame(sides.mine, sides.theirs)
}

/** Both sides' texts in one language. */
function mergeTexts(sides: Sides, chosen: 'mine' | 'theirs'): Texts | undefined {
  const texts = getSideTexts(sides)
  if (texts === undefined) {
    const kept = isSame(sides.base, sides.mine)
      ? 'theirs'
      : isSame(sides.base, sides.theirs)
        ? 'mine'
        : chosen
    return sides[kept] as Texts | undefined
  }
  const merged = texts.flatMap((text): [string, string][] => {
    const side = isTextConflict(text) ? chosen : text.mine === text.base ? 'theirs' : 'mine'
    const value = text[side]
    return value === undefined ? [] : [[text.place, value]]
  })
  return nestTexts(new Map(merged))
}

function mergeTranslations(
  base: EditorDocument,
  mine: EditorDocument,
  theirs: EditorDocument,
  chosen: Readonly<Record<string, 'mine' | 'theirs'>>,
): Translations {
  const [before, own, other] = [base, mine, theirs].map(each => writeTranslations(each) ?? {})
  const languages = new Set([...mine.languages, ...theirs.languages])
  return Object.fromEntries(
    [...languages].flatMap(language => {
      const sides = { base: before?.[language], mine: own?.[language], theirs: other?.[language] } as Sides
      const texts = mergeTexts(sides, chosen[`translations ${language}`] ?? 'mine')
      return texts ? [[language, texts]] : []
    }),
  )
}

function getLabel(id: string, documents: readonly EditorDocument[]): string {
  const [kind = '', name = ''] = id.split(' ')
  if (kind === 'layout') return t`Layout`
  const member = getMemberName(id)
  if (member) return member
  if (isLanguage(id)) return t`Translations: ${{ language: languageLabel(name) }}`
  const field = documents.flatMap(each => each.fields).find(each => each.id === name)
  const group = documents.flatMap(each => getGroups(each.layout)).find(each => each.id === name)
  const called = field?.label || group?.label || name
  if (kind === 'rules') return t`Rules for ${{ name: called }}`
  return field ? t`${{ name: called }} (${{ type: getTypeName(field.type) }})` : called
}

export type ChangeKind = 'added' | 'removed' | 'changed' | 'unchanged'

const CHANGE_KINDS: Readonly<Record<ChangeKind, MessageDescriptor>> = {
  added: msg`Added`,
  removed: msg`Removed`,
  changed: msg`Changed`,
  unchanged: msg`Unchanged`,
}

export const getChangeKindName = (done: ChangeKind): string => i18n._(CHANGE_KINDS[done])

/** How a side changed a part. */
export function getChangeKind(difference: Difference, side: 'mine' | 'theirs'): ChangeKind {
  const now = difference[side]
  if (isSame(difference.base, now)) return 'unchanged'
  if (difference.base === undefined) return 'added'
  return now === undefined ? 'removed' : 'changed'
}

/** Both sides' changes. For conflicts, the chosen side; by default, the member's own. */
export function merge(
  base: EditorDocument,
  mine: EditorDocument,
  theirs: EditorDocument,
  chosen: Readonly<Record<string, 'mine' | 'theirs'>>,
): EditorDocument {
  const takesTheirs = new Set(
    findDifferences(base, mine, theirs)
      .filter(each =>
        each.isConflict ? chosen[each.id] === 'theirs' : getChangeKind(each, 'mine') === 'unchanged',
      )
      .map(each => each.id),
  )
  const pick = (id: string) => (takesTheirs.has(id) ? theirs : mine)
  const members = Object.fromEntries(
    Object.keys(MEMBERS).map(name => [name, pick(name)[name as keyof EditorDocument]]),
  ) as Pick<EditorDocument, 'name'>
  const fields = mergeFields(mine, theirs, id => pick(`field ${id}`))
  const known = new Set(fields.map(field => field.id))
  const layout = mapContainers(pick('layout').layout, children =>
    children.filter(child => child.kind !== 'field' || known.has(child.field)),
  )
  const merged: EditorDocument = {
    ...mine,
    ...members,
    fields,
    layout: addMissingFields(layout, fields),
    rules: mergeRules(mine, theirs, target => pick(`rules ${target}`)),
  }
  const title = merged.titleField
  return {
    ...withTranslations(merged, mergeTranslations(base, mine, theirs, chosen)),
    titleField: title !== null && !getFieldIds(merged.layout).includes(title) ? null : title,
  }
}

function mergeFields(
  mine: EditorDocument,
  theirs: EditorDocument,
  pick: (id: string) => EditorDocument,
): EditorField[] {
  const ids = new Set([...mine.fields, ...theirs.fields].map(field => field.id))
  return [...ids].flatMap(id => pick(id).fields.filter(field => field.id === id))
}

function mergeRules(
  mine: EditorDocument,
  theirs: EditorDocument,
  pick: (target: string) => EditorDocument,
): Rule[] {
  const targets = new Set([...mine.rules, ...theirs.rules].map(rule => rule.target))
  return [...targets].flatMap(target => pick(target).rules.filter(rule => rule.target === target))
}
