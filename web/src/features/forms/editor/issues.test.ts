import { describe, expect, it } from 'vitest'
import { readForm } from '../document/read'
import { findFieldNode, getGroups } from '../document/tree'
import { writeForm } from '../document/write'
import { getPlace } from './issues'

const document = readForm({
  fields: [
    { id: 'a', type: 'text' },
    { id: 'b', type: 'text' },
  ],
  layout: [
    {
      kind: 'columns',
      columns: [[], [{ kind: 'group', id: 'g', label: 'G', children: [{ kind: 'field', field: 'b' }] }]],
    },
  ],
})
const written = writeForm(document)

describe('the place of an error', () => {
  it.each([
    [
      'fields[1].options[2].id',
      { kind: 'node', key: findFieldNode(document.layout, 'b')?.key, member: 'options[2].id' },
    ],
    ['form.fields[0]', { kind: 'node', key: findFieldNode(document.layout, 'a')?.key, member: '' }],
    ['layout[0].columns[1][0].label', { kind: 'node', key: getGroups(document.layout)[0]?.key, member: '' }],
    ['rules[3].when.all[0].field', { kind: 'rule', index: 3 }],
    ['defaultReviewers.users[0]', { kind: 'member', member: 'defaultReviewers' }],
    ['fields[9].id', { kind: 'member', member: 'fields' }],
  ])('%s', (path, place) => {
    expect(getPlace(path, written, document)).toEqual(place)
  })
})
