import { describe, expect, it } from 'vitest'
import { snippet, toCurl, toPython } from './snippets'

const request = {
  address: 'http://localhost/api/v1',
  formId: 'frm_1',
  agentId: null,
  data: { text: `It's "quoted" $HOME \`x\` \\ ü 🎈\n`, none: null, yes: true, list: [] },
}

describe('what an agent sends', () => {
  it('is JSON in itself', () => {
    expect(JSON.parse(snippet('json', request))).toEqual({ formId: 'frm_1', data: request.data })
  })
  it('names an agent where the review type has none', () => {
    expect(JSON.parse(snippet('json', { ...request, agentId: 'agt_1' }))).toHaveProperty('agentId', 'agt_1')
  })
  it('means nothing to a shell', () => {
    expect(toCurl("it's")).toBe(`'it'\\''s'`)
    expect(snippet('curl', request)).toContain(`It'\\''s`)
  })
  it('is Python in Python', () => {
    expect(toPython({ a: null, b: [true, false], c: {} }, '')).toBe(
      '{\n    "a": None,\n    "b": [\n        True,\n        False,\n    ],\n    "c": {},\n}',
    )
  })
})
