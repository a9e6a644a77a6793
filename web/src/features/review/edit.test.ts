import { describe, expect, it } from 'vitest'
import {
  buildSubmission,
  changeValue,
  getEditedFields,
  getErrors,
  getShownErrors,
  isPristine,
  moveEdit,
  revertAll,
  revertValue,
  startEdit,
} from './edit'
import { form, suggestion } from './test-content'

const content = (values = {}, revision = 1) => ({
  form,
  suggestion: suggestion(values),
  revision,
  trigger: false,
})
const draft = (data: Record<string, unknown>, revision = 1) => ({
  data,
  revision,
  savedAt: '2026-11-15T08:00:00Z',
})

describe('starting', () => {
  it('without a draft: the suggestion, and nothing to save', () => {
    const edit = startEdit(content(), null)
    expect(edit.values.headline).toBe('Autumn')
    expect(isPristine(edit)).toBe(true)
  })

  it('shows the values, reason, and errors of a draft at once', () => {
    const edit = startEdit(content(), { ...draft({ draft: { headline: '' } }), reason: 'Hm' })
    expect(edit).toMatchObject({ reason: 'Hm', oldDraft: null })
    expect(getEditedFields(edit)).toEqual(['headline'])
    expect(getShownErrors(edit).map(error => error.fieldId)).toEqual(['headline'])
  })

  it('with an older draft: says so', () => {
    const edit = startEdit(content({}, 3), draft({ score: 1 }, 2))
    expect(edit.oldDraft).toEqual({ revision: 2, kept: ['score'], lost: [] })
  })

  it('an older draft that says nothing any more needs no word', () => {
    expect(startEdit(content({ score: 1 }, 3), draft({ score: 1 }, 2)).oldDraft).toBeNull()
  })
})

describe('typing', () => {
  it('only what changed is submitted, at its path', () => {
    const edit = changeValue(startEdit(content(), null), 'headline', 'Winter')
    expect(buildSubmission(edit)).toEqual({ draft: { headline: 'Winter' } })
    expect(isPristine(revertValue(edit, 'headline'))).toBe(true)
    expect(isPristine(revertAll(edit))).toBe(true)
  })

  it('shows errors of touched fields, and all errors after an attempt to decide', () => {
    const edit = changeValue(startEdit(content({ headline: '' }), null), 'score', 3)
    expect(getShownErrors(edit)).toEqual([])
    expect(getErrors(edit, 'approved').map(error => error.fieldId)).toEqual(['headline'])
    expect(getShownErrors({ ...edit, attempted: { response: 'approved' } })).toHaveLength(1)
    expect(getErrors(edit, 'rejected')).toEqual([])
  })

  it('what the service found stays until its field is changed, and is not said twice', () => {
    const error = { fieldId: 'score', path: 'data.score', code: 'too_large', message: 'is too large' }
    const edit = { ...startEdit(content(), null), serverErrors: [error] }
    expect(getShownErrors(edit)).toEqual([error])
    expect(getShownErrors(changeValue(edit, 'tone', 'loud'))).toEqual([error])
    expect(getShownErrors(changeValue(edit, 'score', 1))).toEqual([])
  })
})

describe('the content is replaced', () => {
  const typed = changeValue(startEdit(content(), null), 'tone', 'loud')

  it('once: what changed against what the person saw', () => {
    const edit = moveEdit(typed, content({ headline: 'Winter' }, 2))
    expect(edit.values).toMatchObject({ headline: 'Winter', tone: 'loud' })
    expect(edit.replaced).toMatchObject({
      revision: 1,
      changed: ['headline'],
      kept: ['tone'],
      conflicting: [],
    })
  })

  it('twice before they looked: still against what they saw', () => {
    const twice = moveEdit(moveEdit(typed, content({ headline: 'Winter' }, 2)), content({ score: 1 }, 3))
    expect(twice.replaced).toMatchObject({ revision: 1, changed: ['score'] })
    expect(twice.values).toMatchObject({ headline: 'Autumn', score: 1, tone: 'loud' })
  })

  it('the same revision read again changes nothing that was typed', () => {
    const again = moveEdit(typed, content())
    expect(again.values).toBe(typed.values)
    expect(again.replaced).toBeNull()
  })
})
