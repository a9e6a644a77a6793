// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { i18n } from '@/lib/i18n'
import { createNameLookup, localizeName } from './names'

const draft = { formId: 'frm_1', name: 'Draft', translatedNames: { de: 'Entwurf', 'pt-BR': 'Rascunho' } }
const refund = { formId: 'frm_2', name: 'Refund' }

beforeEach(() => i18n.loadAndActivate({ locale: 'de', messages: {} }))
afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

describe('localizeName', () => {
  it('translates a name into the language of the page', () => {
    expect(localizeName(draft)).toBe('Entwurf')
    i18n.loadAndActivate({ locale: 'pt-BR', messages: {} })
    expect(localizeName(draft)).toBe('Rascunho')
  })

  it('keeps the original without a translation', () => {
    expect(localizeName(refund)).toBe('Refund')
    expect(localizeName({ ...draft, translatedNames: null })).toBe('Draft')
    i18n.loadAndActivate({ locale: 'fr', messages: {} })
    expect(localizeName(draft)).toBe('Draft')
  })
})

describe('createNameLookup', () => {
  const nameOf = createNameLookup([draft, refund])

  it("translates a review type's current name", () =>
    expect(nameOf({ formId: 'frm_1', formName: 'Draft' })).toBe('Entwurf'))

  it("keeps an older version's name", () =>
    expect(nameOf({ formId: 'frm_1', formName: 'Old draft' })).toBe('Old draft'))

  it('keeps names without a translation', () =>
    expect(nameOf({ formId: 'frm_2', formName: 'Refund' })).toBe('Refund'))

  it('keeps names of review types that are not loaded', () => {
    expect(nameOf({ formId: 'frm_3', formName: 'Deleted' })).toBe('Deleted')
    expect(createNameLookup([])({ formId: 'frm_1', formName: 'Draft' })).toBe('Draft')
  })
})
