import { describe, expect, it } from 'vitest'
import { findHiddenTargets } from './rules'
import type { FormDefinition, Json } from './types'
import { readVectors } from './vectors'

const vectors = readVectors('rules') as {
  definitions: Record<string, FormDefinition>
  cases: { definition: string; responseValues: Record<string, Json>; hidden: string[] }[]
  cycles: Record<string, FormDefinition>
}

describe('rules', () => {
  it.each(
    vectors.cases.map(each => [`${each.definition}: ${JSON.stringify(each.responseValues)}`, each] as const),
  )('%s', (_, { definition, responseValues, hidden }) => {
    const form = vectors.definitions[definition] as FormDefinition
    expect([...findHiddenTargets(form, responseValues)].sort()).toEqual(hidden)
  })

  it('mean the same in any order, and again on what they left', () => {
    for (const { definition, responseValues, hidden } of vectors.cases) {
      const form = vectors.definitions[definition] as FormDefinition
      const turned = { ...form, rules: form.rules?.toReversed(), fields: form.fields.toReversed() }
      expect([...findHiddenTargets(turned, responseValues)].sort()).toEqual(hidden)
      const left = Object.fromEntries(Object.entries(responseValues).filter(([id]) => !hidden.includes(id)))
      expect([...findHiddenTargets(form, left)].sort()).toEqual(hidden)
    }
  })

  it('come to an end even where they go round in circles, which the server refuses', () => {
    for (const form of Object.values(vectors.cycles)) expect(findHiddenTargets(form, {})).toBeInstanceOf(Set)
  })
})
