// @vitest-environment jsdom
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { Input } from '@/components/input'
import { setTabUser } from '@/lib/tab-storage'
import { Field, Form, SaveRow, useForm } from './form'

type Body = { name: string; url: string }

function Settings({ send, storedAs }: { send: (body: Body) => Promise<unknown>; storedAs?: string }) {
  const form = useForm({
    ...(storedAs && { storedAs }),
    saved: { name: 'Acme', url: '' },
    save: useMutation({ mutationFn: send }),
    toBody: value => value,
  })
  return (
    <Form form={form}>
      <Field form={form} name="name" label="Name" help="Shown to everyone.">
        {attributes => <Input {...attributes} />}
      </Field>
      <SaveRow form={form} />
    </Form>
  )
}

describe('a form of the settings', () => {
  let root: Root
  let box: HTMLElement

  const show = (send: (body: Body) => Promise<unknown>, storedAs?: string) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={new QueryClient()}>
          <Settings send={send} {...(storedAs && { storedAs })} />
        </QueryClientProvider>,
      ),
    )
  const getInput = () => {
    const input = box.querySelector('input')
    if (input === null) throw new Error('no input')
    return input
  }
  const type = (text: string) =>
    act(async () => {
      // React ignores a value that was set through its own property.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(getInput(), text)
      getInput().dispatchEvent(new Event('input', { bubbles: true }))
    })
  const submit = () => act(async () => box.querySelector('form')?.requestSubmit())
  const getStatus = () => box.querySelector('[role=status]')?.textContent

  beforeEach(() => {
    setTabUser('usr_1')
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    box = document.body.appendChild(document.createElement('div'))
    root = createRoot(box)
  })

  afterEach(() => {
    act(() => root.unmount())
    box.remove()
    sessionStorage.clear()
    vi.unstubAllGlobals()
  })

  it('shows the error of a field at its control, and others above', async () => {
    const errors = [
      { path: 'name', code: 'taken', message: 'is taken' },
      { path: 'plan', code: 'unknown', message: 'is unknown' },
    ]
    await show(() => Promise.reject(new ApiError(422, { code: 'invalid', errors })))
    await type('Other')
    await submit()
    await vi.waitFor(() => expect(getInput().getAttribute('aria-invalid')).toBe('true'))
    const described = getInput().getAttribute('aria-describedby')?.split(' ') ?? []
    expect(described.map(id => document.getElementById(id)?.textContent)).toEqual([
      'Shown to everyone.',
      expect.stringMatching(/is taken/i),
    ])
    const alerts = [...box.querySelectorAll('[role=alert]')].map(alert => alert.textContent)
    expect(alerts).toEqual(['plan: is unknown', expect.stringMatching(/is taken/i)])
    expect(getInput().value).toBe('Other')
  })

  it('can be saved only after a change', async () => {
    const send = vi.fn(() => Promise.resolve())
    await show(send)
    expect(box.querySelector('button')?.disabled).toBe(true)
    await type('Other')
    expect(getStatus()).toBe('Unsaved changes')
    await submit()
    await vi.waitFor(() => expect(getStatus()).toContain('Saved'))
    expect(send.mock.calls).toEqual([[{ name: 'Other', url: '' }, expect.anything()]])
  })

  it('keeps what was changed while it was being saved', async () => {
    let finish = () => {}
    await show(
      () =>
        new Promise<void>(resolve => {
          finish = resolve
        }),
    )
    await type('First')
    await submit()
    await type('Second')
    await act(async () => finish())
    await vi.waitFor(() => expect(getStatus()).toBe('Unsaved changes'))
    expect(getInput().value).toBe('Second')
  })

  it.each([
    ['workspace', 'Other'],
    [undefined, 'Acme'],
  ])('stored as %s shows %s again', async (storedAs, name) => {
    await show(() => Promise.resolve(), storedAs)
    await type('Other')
    act(() => root.unmount())
    root = createRoot(box)
    await show(() => Promise.resolve(), storedAs)
    expect(getInput().value).toBe(name)
  })
})
