import { describe, expect, it } from 'vitest'
import { layOutSteps } from './layout'

const step = (reviewId: string, ...prevSteps: string[]) => ({ reviewId, prevSteps })
const places = (...steps: ReturnType<typeof step>[]) =>
  Object.fromEntries(layOutSteps(steps).steps.map(({ step, row, column }) => [step.reviewId, [row, column]]))

describe('the steps of a run', () => {
  it('stand below each other', () => {
    expect(places(step('a'), step('b', 'a'), step('c', 'b'))).toEqual({ a: [0, 0], b: [1, 0], c: [2, 0] })
  })

  it('stand side by side where they branch, and come together again', () => {
    expect(places(step('a'), step('b', 'a'), step('c', 'a'), step('d', 'b', 'c'))).toEqual({
      a: [0, 0.5],
      b: [1, 0],
      c: [1, 1],
      d: [2, 0.5],
    })
  })

  it('stand below the lowest of what came before', () => {
    expect(places(step('a'), step('b', 'a'), step('c', 'a', 'b')).c).toEqual([2, 0])
  })

  it('may begin several times', () => {
    expect(places(step('a'), step('b'), step('c', 'b'))).toEqual({ a: [0, 0], b: [0, 1], c: [1, 0.5] })
  })

  it('do not cross lines without need', () => {
    expect(places(step('a'), step('b'), step('c', 'b'), step('d', 'a'))).toMatchObject({
      c: [1, 1],
      d: [1, 0],
    })
  })

  it('say how many of what came before are not here', () => {
    const { steps } = layOutSteps([step('a', 'gone', 'gone', ''), step('b', 'a', 'gone')])
    expect(steps.map(({ missing, after }) => [missing, after])).toEqual([
      [2, []],
      [1, [0]],
    ])
  })

  it('never go in circles', () => {
    const { steps } = layOutSteps([step('a', 'c', 'a'), step('b', 'a'), step('c', 'b')])
    expect(steps.map(({ row, after, missing }) => [row, after, missing])).toEqual([
      [0, [], 0],
      [1, [0], 0],
      [2, [1], 0],
    ])
  })

  it('can be many, and all follow all', () => {
    const ids = Array.from({ length: 500 }, (_, index) => `s${index}`)
    const { rows } = layOutSteps(ids.map((id, index) => step(id, ...ids.slice(0, index))))
    expect(rows).toHaveLength(500)
    expect(layOutSteps(ids.map(id => step(id, ...ids))).rows).toHaveLength(500)
    expect(layOutSteps(ids.map(id => step(id))).columns).toBe(500)
  })

  it('may be none', () => {
    expect(layOutSteps([])).toEqual({ steps: [], rows: [], columns: 1 })
  })
})
