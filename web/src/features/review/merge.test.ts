import { describe, expect, it } from 'vitest'
import { initialValues, type JsonObject } from '@/form'
import { findChangedFields, mergeDraft, mergeEdit } from './merge'
import { form, suggestion, without } from './test-content'

const before = suggestion()
const typed = (values: object) => ({ ...initialValues(form, before), ...values })

describe('what the agent changed', () => {
  it.each([
    [suggestion(), []],
    [suggestion({ headline: 'Winter' }), ['headline']],
    [suggestion({ score: 7.0 }), []],
    [suggestion({ score: null, tone: 'loud' }), ['score', 'tone']],
    [without(suggestion(), 'tone'), ['tone']],
  ])('%#', (after, changed) => {
    expect(findChangedFields(form, before, after)).toEqual(changed)
    expect(findChangedFields(form, after, before)).toEqual(changed)
  })
})

describe('edits when the content is replaced', () => {
  it('untouched fields follow the agent, edits stay', () => {
    const after = suggestion({ headline: 'Winter', score: 9 })
    const carried = mergeEdit(form, before, after, typed({ tone: 'loud' }))
    expect(carried.values).toMatchObject({ headline: 'Winter', score: 9, tone: 'loud' })
    expect(carried).toMatchObject({ kept: ['tone'], conflicting: [], lost: [] })
  })

  it('where both changed it, the edit stays and is named', () => {
    const carried = mergeEdit(form, before, suggestion({ headline: 'Winter' }), typed({ headline: 'Mine' }))
    expect(carried.values.headline).toBe('Mine')
    expect(carried).toMatchObject({ kept: ['headline'], conflicting: ['headline'], lost: [] })
  })

  it('an edit that the agent made too is none any more', () => {
    const carried = mergeEdit(form, before, suggestion({ headline: 'Mine' }), typed({ headline: 'Mine' }))
    expect(carried).toMatchObject({ kept: [], conflicting: [], lost: [] })
  })

  it('a cleared value stays cleared', () => {
    const carried = mergeEdit(form, before, suggestion({ score: 8 }), typed({ score: null }))
    expect(carried.values.score).toBeNull()
    expect(carried.conflicting).toEqual(['score'])
  })

  it('a field that went takes its edit to what is lost', () => {
    const carried = mergeEdit(form, before, without(suggestion(), 'tone'), typed({ tone: 'loud', score: 1 }))
    expect(carried.values).not.toHaveProperty('tone')
    expect(carried).toMatchObject({ kept: ['score'], lost: [{ fieldId: 'tone', value: 'loud' }] })
  })

  it('an option that is not offered any more is lost too', () => {
    const after = { ...suggestion(), configs: { tone: { options: [{ id: 'calm', label: 'Calm' }] } } }
    const carried = mergeEdit(form, before, after, typed({ tone: 'loud' }))
    expect(carried.values.tone).toBe('calm')
    expect(carried.lost).toEqual([{ fieldId: 'tone', value: 'loud' }])
  })

  it('what is typed half stays as it is, and so does what breaks a limit', () => {
    const values = typed({ score: '12.', headline: 'Far too long for this field' })
    const carried = mergeEdit(form, before, suggestion({ tone: 'loud' }), values)
    expect(carried.values).toMatchObject({ score: '12.', headline: 'Far too long for this field' })
    expect(carried.lost).toEqual([])
  })
})

describe('a draft of an older revision', () => {
  it('is applied where it fits', () => {
    const data = { draft: { headline: 'Mine', fixed: 'Mine' }, tone: 'shrill', score: 3 }
    const carried = mergeDraft(form, suggestion({ headline: 'Winter' }), data)
    expect(carried.values).toMatchObject({ headline: 'Mine', fixed: 'Same', tone: 'calm', score: 3 })
    expect(carried.kept).toEqual(['headline', 'score'])
    expect(carried.lost).toEqual([
      { fieldId: 'fixed', value: 'Mine' },
      { fieldId: 'tone', value: 'shrill' },
    ])
  })

  it('for a field that is not shown any more is not forgotten', () => {
    const carried = mergeDraft(form, without(suggestion(), 'score'), { score: 3 })
    expect(carried).toMatchObject({ kept: [], lost: [{ fieldId: 'score', value: 3 }] })
  })

  it.each([{}, { unknown: 1 }, { draft: {} }])('with nothing for us: %j', data => {
    const carried = mergeDraft(form, suggestion({ headline: '' }), data as JsonObject)
    expect(carried.kept).toEqual([])
    expect(carried.lost).toEqual([])
  })
})
