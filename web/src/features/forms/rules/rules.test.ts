import { I18nProvider } from '@lingui/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { isMet } from '@/form/operators'
import type { Rule } from '@/form/types'
import { i18n } from '@/lib/i18n'
import { TYPE_NAMES } from '../document/field-types'
import { getPlaceAfter, insertNew, removeNode } from '../document/operations'
import { EMPTY, readForm } from '../document/read'
import type { EditorDocument } from '../document/types'
import { createCondition, createRule, getSubjects, getTopics } from './operations'
import { RuleSentence } from './sentence'

/** A rule's sentence without its markup. */
const sentenceText = (rule: Rule, document: EditorDocument): string =>
  renderToStaticMarkup(
    createElement(I18nProvider, { i18n }, createElement(RuleSentence, { rule, document })),
  ).replaceAll(/<[^>]*>/g, '')

const everything = TYPE_NAMES.reduce(
  (document, type) => insertNew(document, type, getPlaceAfter(document, null)).document,
  EMPTY,
)
const form = readForm({
  fields: [
    { id: 'score', type: 'number', label: 'Score' },
    { id: 'tags', type: 'checkboxes', label: 'Tags', options: [{ id: 'a', label: 'Apples' }] },
    { id: 'note', type: 'label', label: 'Note' },
  ],
  layout: [{ kind: 'group', id: 'publishing', label: 'Publishing', children: [] }],
})

describe('subjects', () => {
  it('every field with a value can be asked about, once', () => {
    const topics = getTopics(everything)
    const own = topics.filter(topic => !topic.id.includes('.'))
    expect(own.map(topic => topic.id)).toEqual(
      everything.fields.filter(field => field.type !== 'label').map(field => field.id),
    )
    expect(new Set(topics.map(topic => topic.id)).size).toBe(topics.length)
  })
  it('every condition that can be built can be read', () => {
    for (const subject of getSubjects(everything))
      for (const operation of subject.operations)
        expect(() => isMet(createCondition(subject, operation), {})).not.toThrow()
  })
})

describe('a new rule', () => {
  it('does not read what stands in the group that it is about', () => {
    const document = readForm({
      fields: [
        { id: 'inside', type: 'number', label: 'Inside' },
        { id: 'outside', type: 'number', label: 'Outside' },
      ],
      layout: [
        { kind: 'group', id: 'box', label: 'Box', children: [{ kind: 'field', field: 'inside' }] },
        { kind: 'field', field: 'outside' },
      ],
    })
    expect(createRule(document, 'box').when).toMatchObject({ all: [{ field: 'outside.value' }] })
    expect(createRule(document, 'outside').when).toMatchObject({ all: [{ field: 'inside.value' }] })
  })
})

describe('sentences', () => {
  it('say what the rule says', () => {
    const rule = {
      target: 'publishing',
      effect: 'show' as const,
      when: {
        all: [
          { field: 'score.value', operation: '>=', value: 5 },
          {
            any: [
              { field: 'tags.value[].id', operation: 'arrayIncludes', value: 'a' },
              { not: { field: 'score.wasEdited', operation: 'isTrue' } },
            ],
          },
        ],
      },
    }
    expect(sentenceText(rule, form)).toBe(
      'Show Publishing when Score is at least 5 and (Tags includes “Apples” or not (Score was edited)).',
    )
  })
  it('name what is gone by its ID', () => {
    const rule = createRule(form, 'publishing')
    const without = removeNode(
      form,
      form.layout.find(node => node.kind === 'field' && node.field === 'score')?.key ?? '',
    )
    expect(sentenceText(rule, without)).toContain('score')
  })
})
