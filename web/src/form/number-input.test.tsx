// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { i18n } from '@/lib/i18n'
import { setUpRendering } from '@/test-rendering'
import { NumberInput } from './number-input'

const page = setUpRendering()
const changed = vi.fn()

const input = () => page.find<HTMLInputElement>('input')

const show = (value: number | undefined, whole = false) =>
  page.render(<NumberInput value={value} whole={whole} min={0} onChange={changed} />)

const type = (text: string) => page.type('input', text)
const press = (key: string) => page.press('input', key)

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'de', messages: {} })
  changed.mockClear()
})

afterEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
})

it('takes and shows the decimal mark of the language', async () => {
  await show(2.5)
  expect(input().value).toBe('2,5')
  await type('1,5')
  expect(changed).toHaveBeenLastCalledWith(1.5)
})

it('keeps the last number while the text could mean two', async () => {
  await show(7)
  await type('1.234')
  expect(changed).not.toHaveBeenCalled()
  expect(input().getAttribute('aria-invalid')).toBe('true')
  expect(document.querySelector('[role=alert]')?.textContent).toContain('1.234,5')
  expect(input().checkValidity()).toBe(false)
  await act(async () => input().dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
  expect(input().value).toBe('7')
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(input().checkValidity()).toBe(true)
})

it('is nothing when it is empty', async () => {
  await show(7)
  await type('')
  expect(changed).toHaveBeenLastCalledWith(undefined)
})

it('takes only whole numbers where they are wanted', async () => {
  await show(7, true)
  await type('1,5')
  expect(changed).not.toHaveBeenCalled()
})

it('goes up and down by the arrow keys, within its limits', async () => {
  await show(1)
  await press('ArrowUp')
  expect(changed).toHaveBeenLastCalledWith(2)
  await press('ArrowDown')
  expect(changed).toHaveBeenLastCalledWith(0)
  await show(0)
  await press('ArrowDown')
  expect(changed).toHaveBeenLastCalledWith(0)
})
