import { describe, expect, it } from 'vitest'
import { FIELD_SETTINGS } from '@/api/field-settings'
import { i18n } from '@/lib/i18n'
import { getChangeDetails } from './change-details'
import { copyNode, duplicateNode, paste } from './clipboard'
import { CATEGORIES, FIELD_TYPES, TYPE_NAMES } from './field-types'
import { recordChange, redo, startHistory, undo } from './history'
import { createIdFromLabel, isIdentifier } from './identifiers'
import { findDifferences, getChangeKind, merge } from './merge'
import { normalizeForm } from './normal'
import {
  canMove,
  changeField,
  changeFieldType,
  changeLabel,
  getNextPlace,
  getPlaceAfter,
  getPlaceInside,
  getPlaceOutside,
  insertNew,
  moveNode,
  newField,
  removeNode,
  setColumnCount,
  unwrap,
} from './operations'
import { EMPTY, readForm } from './read'
import { renameField, renameGroup } from './rename'
import { fillIn, findMissing } from './sample'
import { find, findFieldNode, getFieldIds, getGroups, walk } from './tree'
import type { EditorDocument, TimeLimitStep } from './types'
import { sameForm, writeForm } from './write'

const FORM = {
  name: 'Draft',
  titleField: 'headline',
  fields: [
    { id: 'headline', type: 'text', label: 'Headline', path: 'draft.headline' },
    { id: 'score', type: 'number', label: 'Score' },
    { id: 'channel', type: 'dropdown', label: 'Channel', options: [{ id: 'a', label: 'A' }] },
  ],
  layout: [
    {
      kind: 'columns',
      columns: [[{ kind: 'field', field: 'headline' }], [{ kind: 'field', field: 'score' }]],
    },
    { kind: 'group', id: 'publishing', label: 'Publishing', children: [{ kind: 'field', field: 'channel' }] },
  ],
  rules: [
    {
      target: 'publishing',
      effect: 'show',
      when: {
        all: [
          { field: 'score.value', operation: 'greaterThan', value: 5 },
          { not: { any: [{ field: 'score.wasEdited', operation: 'isTrue' }] } },
        ],
      },
    },
  ],
}
const form = (): EditorDocument => readForm(FORM)
const keyOf = (document: EditorDocument, field: string) => findFieldNode(document.layout, field)?.key ?? ''
const groupKey = (document: EditorDocument) => getGroups(document.layout)[0]?.key ?? ''
const shape = (document: EditorDocument): unknown => writeForm(document).layout
/** Every field is in the layout exactly once, and every place names a field. */
const isWhole = (document: EditorDocument) =>
  expect(getFieldIds(document.layout).sort()).toEqual(document.fields.map(field => field.id).sort())

describe('reading and writing', () => {
  it('gives the same definition back', () => {
    const written = writeForm(form())
    expect(written.layout).toEqual(FORM.layout)
    expect(written.fields).toEqual(FORM.fields)
    expect(sameForm(form(), form())).toBe(true)
  })
  it('places what the layout leaves out, and leaves a plain layout to the order of the fields', () => {
    const plain = readForm({ ...FORM, layout: null, rules: [] })
    expect(getFieldIds(plain.layout)).toEqual(['headline', 'score', 'channel'])
    expect(writeForm(plain).layout).toBeNull()
    const moved = moveNode(plain, keyOf(plain, 'channel'), { container: 'root', index: 0 })
    expect(writeForm(moved).fields.map(field => field.id)).toEqual(['channel', 'headline', 'score'])
  })
})

describe('inserting', () => {
  it.each(TYPE_NAMES)('a new %s has a free ID of its own', type => {
    let document = EMPTY
    for (let times = 0; times < 3; times += 1)
      document = insertNew(document, type, getPlaceAfter(document, null)).document
    isWhole(document)
    expect(new Set(document.fields.map(field => field.id)).size).toBe(3)
    expect(document.fields.every(field => isIdentifier(field.id))).toBe(true)
  })
  it('goes behind what is selected, or into an empty box', () => {
    const document = form()
    expect(getPlaceAfter(document, groupKey(document))).toEqual({ container: 'root', index: 2 })
    const { document: more, key } = insertNew(document, 'group', { container: 'root', index: 0 })
    expect(getPlaceAfter(more, key)).toEqual({ container: key, index: 0 })
  })
  it('goes no deeper than the service allows', () => {
    let document = EMPTY
    let container = 'root'
    for (let depth = 0; depth < 12; depth += 1) {
      const made = insertNew(document, 'group', { container, index: 0 })
      document = made.document
      if (find(document.layout, made.key)) container = made.key
    }
    expect(Math.max(...[...walk(document.layout)].map(({ depth }) => depth))).toBe(8)
  })
})

describe('moving', () => {
  it('between containers', () => {
    const document = form()
    const moved = moveNode(document, keyOf(document, 'score'), { container: groupKey(document), index: 0 })
    expect(shape(moved)).toEqual([
      { kind: 'columns', columns: [[{ kind: 'field', field: 'headline' }], []] },
      {
        kind: 'group',
        id: 'publishing',
        label: 'Publishing',
        children: [
          { kind: 'field', field: 'score' },
          { kind: 'field', field: 'channel' },
        ],
      },
    ])
  })
  it('counts places before the move', () => {
    const plain = readForm({ ...FORM, layout: null })
    const down = moveNode(plain, keyOf(plain, 'headline'), { container: 'root', index: 2 })
    expect(getFieldIds(down.layout)).toEqual(['score', 'headline', 'channel'])
    expect(moveNode(plain, keyOf(plain, 'headline'), { container: 'root', index: 1 })).toBe(plain)
  })
  it('never into itself', () => {
    const document = form()
    const group = groupKey(document)
    expect(canMove(document, group, { container: group, index: 0 })).toBe(false)
    expect(moveNode(document, group, { container: group, index: 0 })).toBe(document)
  })
  it('step by step from the first place to the last and back', () => {
    let document = form()
    const key = keyOf(document, 'headline')
    const seen = new Set<string>()
    for (let steps = 0; steps < 20; steps += 1) {
      const place = getNextPlace(document, key, 'down')
      if (place === null) break
      document = moveNode(document, key, place)
      isWhole(document)
      seen.add(JSON.stringify(shape(document)))
    }
    expect(getNextPlace(document, key, 'down')).toBeNull()
    expect(document.layout.at(-1)?.key).toBe(key)
    expect(seen.size).toBeGreaterThan(2)
  })
  it('into the box beside it, and out again', () => {
    const plain = insertNew(readForm({ ...FORM, layout: null }), 'group', { container: 'root', index: 1 })
    const key = keyOf(plain.document, 'score')
    const into = getPlaceInside(plain.document, key)
    expect(into).toEqual({ container: plain.key, index: 0 })
    const inside = moveNode(plain.document, key, into ?? { container: 'root', index: 0 })
    expect(getPlaceOutside(inside, key)).toEqual({ container: 'root', index: 2 })
  })
})

describe('removing', () => {
  it('takes the fields along, and leaves the rules about them', () => {
    const document = form()
    const columns = document.layout[0]?.key ?? ''
    const left = removeNode(document, columns)
    expect(left.fields.map(field => field.id)).toEqual(['channel'])
    expect(left.titleField).toBeNull()
    expect(left.rules).toEqual(document.rules)
    isWhole(left)
  })
  it('a box alone keeps what is in it', () => {
    const document = form()
    const left = unwrap(document, document.layout[0]?.key ?? '')
    expect(left.layout.map(node => node.kind)).toEqual(['field', 'field', 'group'])
    isWhole(left)
  })
  it('columns keeps what stood in them', () => {
    const document = form()
    const one = setColumnCount(document, document.layout[0]?.key ?? '', 1)
    isWhole(one)
    expect(setColumnCount(one, document.layout[0]?.key ?? '', 99).layout[0]).toMatchObject({
      columns: { length: 6 },
    })
  })
})

describe('renaming', () => {
  it('a field, in everything that names it', () => {
    const renamed = renameField(renameField(form(), 'score', 'points'), 'headline', 'title')
    expect(JSON.stringify(renamed)).not.toMatch(/"score|"headline"/)
    expect(renamed.titleField).toBe('title')
    expect(JSON.stringify(renamed.rules)).toContain('points.wasEdited')
    isWhole(renamed)
  })
  it('a group, in the rules about it', () => {
    const renamed = renameGroup(form(), 'publishing', 'where')
    expect(renamed.rules[0]?.target).toBe('where')
  })
  it('does not touch a field whose ID begins alike', () => {
    const document = renameField(form(), 'channel', 'scores')
    expect(renameField(document, 'score', 'x').fields.map(field => field.id)).toContain('scores')
  })
  it('the ID follows the label while it is new', () => {
    const made = insertNew(EMPTY, 'text', getPlaceAfter(EMPTY, null))
    const named = changeLabel(made.document, 'text', 'Draft title', true)
    expect(named.fields[0]).toMatchObject({ id: 'draftTitle', label: 'Draft title' })
    expect(changeLabel(named, 'draftTitle', 'Other', false).fields[0]?.id).toBe('draftTitle')
    isWhole(named)
  })
  it.each(TYPE_NAMES)('a new %s has its code as its ID, and then follows', type => {
    const first = insertNew(EMPTY, type, getPlaceAfter(EMPTY, null)).document
    const { document } = insertNew(first, type, getPlaceAfter(first, null))
    expect(document.fields.map(field => field.id)).toEqual([type, `${type}2`])
    expect(changeLabel(document, `${type}2`, 'Draft title', true).fields[1]?.id).toBe('draftTitle')
  })
  it('an ID that was chosen stays, even if it is a code', () => {
    const made = insertNew(EMPTY, 'text', getPlaceAfter(EMPTY, null)).document
    const labelled = changeField(made, 'text', { label: 'Body' })
    expect(changeLabel(labelled, 'text', 'Main part', true).fields[0]?.id).toBe('text')
  })
  it('new options have IDs that no language changes', () => {
    expect(newField('dropdown', new Set()).options).toMatchObject([{ id: 'option1' }, { id: 'option2' }])
  })
  it.each([
    ['Draft title', 'draftTitle'],
    ['Größe (cm)', 'groeCm'],
    ['2 things', 'text'],
    ['🎈', 'text'],
  ])('%s gives an ID that is one', (label, id) => {
    expect(isIdentifier(createIdFromLabel(label, 'text'))).toBe(true)
    if (id === 'text') expect(createIdFromLabel(label, 'text')).toBe('text')
  })
})

describe('copying', () => {
  it('a box with everything in it, under IDs of their own', () => {
    const document = form()
    const made = duplicateNode(document, groupKey(document))
    expect(made?.document.fields.map(field => field.id)).toContain('channel2')
    expect(getGroups(made?.document.layout ?? []).map(group => group.id)).toEqual([
      'publishing',
      'publishing2',
    ])
    if (made) isWhole(made.document)
  })
  it('into another review type', () => {
    const clip = copyNode(form(), keyOf(form(), 'nothing')) ?? copyNode(...pair())
    const made = clip && paste(EMPTY, clip, { container: 'root', index: 0 })
    expect(made?.document.fields).toEqual([FORM.fields[0]])
  })
  it('gives a path of its own', () => {
    const document = form()
    const made = duplicateNode(document, keyOf(document, 'headline'))
    expect(made?.document.fields.at(-1)?.path).toBe('draft.headline2')
  })
})

function pair(): [EditorDocument, string] {
  const document = form()
  return [document, keyOf(document, 'headline')]
}

describe('retyping', () => {
  it('keeps what the new type has, and brings what it needs', () => {
    const document = changeFieldType(
      changeField(form(), 'headline', { minLength: 2, pattern: 'a' }),
      'headline',
      'longText',
    )
    expect(document.fields[0]).toMatchObject({ type: 'longText', minLength: 2, path: 'draft.headline' })
    expect(document.fields[0]).not.toHaveProperty('pattern')
    expect(changeFieldType(form(), 'headline', 'list')).toMatchObject({
      titleField: null,
      fields: [{ item: [{ id: 'text' }] }, {}, {}],
    })
  })
  it('does not take a limit of another kind along', () => {
    const document = changeFieldType(changeField(form(), 'score', { min: 3 }), 'score', 'date')
    expect(document.fields[1]).not.toHaveProperty('min')
  })
})

describe('history', () => {
  it('goes back to the beginning and forward to the end', () => {
    let history = startHistory(EMPTY)
    for (let step = 0; step < 300; step += 1)
      history = recordChange(history, { ...history.present, name: String(step) }, null, step)
    for (let step = 0; step < 300; step += 1) history = undo(history)
    expect(history.present).toBe(EMPTY)
    for (let step = 0; step < 400; step += 1) history = redo(history)
    expect(history.present.name).toBe('299')
  })
  it('typing is one step, and something else begins another', () => {
    let history = startHistory(EMPTY)
    for (const [at, name] of ['a', 'ab', 'abc'].entries())
      history = recordChange(history, { ...history.present, name }, 'name', at * 100)
    history = recordChange(history, { ...history.present, width: 'wide' }, 'width', 300)
    expect(undo(history).present.name).toBe('abc')
    expect(undo(undo(history)).present).toBe(EMPTY)
  })
  it('a change after undoing forgets what was undone', () => {
    const history = undo(recordChange(startHistory(EMPTY), { ...EMPTY, name: 'a' }, null, 0))
    expect(recordChange(history, { ...EMPTY, name: 'b' }, null, 1).future).toEqual([])
  })
})

describe('merging', () => {
  const base = form()
  const relabelled = (id: string, label: string) => changeField(base, id, { label })
  it('both changes, where they do not touch the same', () => {
    const merged = merge(
      base,
      relabelled('score', 'Mine'),
      { ...relabelled('channel', 'Theirs'), name: 'Other' },
      {},
    )
    expect(merged.name).toBe('Other')
    expect(merged.fields.map(field => field.label)).toEqual(['Headline', 'Mine', 'Theirs'])
    expect(
      findDifferences(base, relabelled('score', 'a'), relabelled('channel', 'b')).some(
        each => each.isConflict,
      ),
    ).toBe(false)
  })
  it('asks where both changed one thing, and takes what was chosen', () => {
    const [mine, theirs] = [relabelled('score', 'Mine'), relabelled('score', 'Theirs')]
    const [found] = findDifferences(base, mine, theirs)
    expect(found).toMatchObject({ id: 'field score', isConflict: true })
    expect(merge(base, mine, theirs, {}).fields[1]?.label).toBe('Mine')
    expect(merge(base, mine, theirs, { 'field score': 'theirs' }).fields[1]?.label).toBe('Theirs')
  })
  it('fields that either added or removed', () => {
    const mine = insertNew(base, 'email', getPlaceAfter(base, null)).document
    const theirs = removeNode(
      insertNew(base, 'date', getPlaceAfter(base, null)).document,
      keyOf(base, 'channel'),
    )
    const merged = merge(base, mine, theirs, {})
    expect(merged.fields.map(field => field.id).sort()).toEqual(['date', 'email', 'headline', 'score'])
    isWhole(merged)
    const added = findDifferences(base, mine, theirs).find(each => each.id === 'field date')
    expect(added && getChangeKind(added, 'theirs')).toBe('added')
  })
  it('the same change twice is no clash', () => {
    const both = relabelled('score', 'Same')
    expect(findDifferences(base, both, relabelled('score', 'Same')).map(each => each.isConflict)).toEqual([
      false,
    ])
    expect(merge(base, both, both, {}).fields[1]?.label).toBe('Same')
  })
})

describe('what changed', () => {
  const base = form()
  const details = (mine: EditorDocument, names = (id: string) => id) =>
    findDifferences(base, mine, base).flatMap(each => getChangeDetails(each, 'mine', names, [mine, base]))
  const shown = (mine: EditorDocument, names?: (id: string) => string) =>
    details(mine, names).map(({ label, from, to }) => [label, from, to])
  it('is said with the names and values of the editor', () => {
    const reviewers = { users: ['ann@example.com'], groups: ['grp_1'], external: [] }
    const mine: EditorDocument = { ...base, width: 'wide', autoApprove: true, defaultReviewers: reviewers }
    expect(shown(mine, id => ({ 'ann@example.com': 'Ann', grp_1: 'Legal' })[id] ?? id)).toEqual([
      ['Width', 'Medium (text)', 'Wide (columns and tables)'],
      ['Auto-approve', 'No', 'Yes'],
      ['Default reviewers', null, 'Ann and Legal'],
    ])
  })
  it('in deadlines, step by step', () => {
    const calendar = { timeZone: 'Europe/Paris', days: [1, 5], from: '09:00', until: '17:00' }
    const steps = [
      { afterMinutes: 2880, action: 'remind', to: null },
      { afterMinutes: 4320, action: 'handOver', to: { users: [], groups: ['Legal'] } },
    ] as const
    expect(shown({ ...base, timeLimits: { calendar, steps: [...steps] as TimeLimitStep[] } })).toEqual([
      [
        'Deadlines',
        null,
        'remind reviewers after 2 days and escalate to Legal after 3 days (business hours: Mon and Fri, 09:00–17:00, Europe/Paris)',
      ],
    ])
  })
  it('in a field, by the labels of its settings', () => {
    expect(shown(changeField(base, 'headline', { maxLength: 2000, required: true }))).toEqual([
      ['Maximum length', null, '2,000'],
      ['Required', null, 'Yes'],
    ])
    expect(shown(changeField(base, 'channel', { options: [{ id: 'b', label: 'A' }] }))).toEqual([
      ['Options', 'A (a)', 'A (b)'],
    ])
    expect(shown(changeFieldType(base, 'headline', 'longText'))).toEqual([['Type', 'Text', 'Long text']])
  })
  it('in the fields of a list', () => {
    const list = (label: string): EditorDocument => ({
      ...base,
      fields: [{ id: 'steps', type: 'list', label: 'Steps', item: [{ id: 'a', type: 'text', label }] }],
    })
    const [found] = findDifferences(list('A'), list('B'), list('A'))
    expect(found && getChangeDetails(found, 'mine', id => id, [])).toMatchObject([
      { label: 'Item fields, A: Label', from: 'A', to: 'B' },
    ])
  })
})

describe('the field types', () => {
  it('are those of the catalog', () => {
    expect([...TYPE_NAMES].sort()).toEqual(Object.keys(FIELD_SETTINGS).sort())
  })
  it.each(TYPE_NAMES)('%s has a group in the palette, and a label for each setting', type => {
    const { category, settings } = FIELD_TYPES[type]
    expect(CATEGORIES.map(each => each.id)).toContain(category)
    expect(settings.map(setting => setting.name)).toEqual(Object.keys(FIELD_SETTINGS[type]))
    for (const { name, label } of settings) expect(i18n._(label), name).not.toBe('')
  })
})

describe('the sample', () => {
  it.each(TYPE_NAMES)('has something for %s', type => {
    const { document } = insertNew(EMPTY, type, getPlaceAfter(EMPTY, null))
    const data = fillIn({}, document.fields)
    expect(findMissing(data, document.fields)).toEqual([])
    expect(FIELD_TYPES[type].name).not.toBe('')
  })
  it('keeps what is there, and puts values at their paths', () => {
    expect(fillIn({ score: 1 }, form().fields)).toMatchObject({
      score: 1,
      draft: { headline: 'Headline' },
      channel: 'a',
    })
  })
  it('does not replace what is in the way', () => {
    expect(fillIn({ draft: 'text' }, form().fields).draft).toBe('text')
  })
})

describe('the definition that is previewed', () => {
  it('has everything written out', () => {
    const written = normalizeForm(writeForm(insertNew(form(), 'list', getPlaceAfter(form(), null)).document))
    expect(written.fields[1]).toMatchObject({ required: false, editable: true, path: 'score' })
    expect(written.fields[3]).toMatchObject({ allowAdd: true, editable: true, item: [{ required: false }] })
  })
})
