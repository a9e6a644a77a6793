// @vitest-environment jsdom
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { Input } from '@/components/input'
import { setTabUser } from '@/lib/tab-storage'
import { setUpRendering } from '@/test-rendering'
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

const page = setUpRendering()

describe('a form of the settings', () => {
  const show = (send: (body: Body) => Promise<unknown>, storedAs?: string) =>
    page.render(
      <QueryClientProvider client={new QueryClient()}>
        <Settings send={send} {...(storedAs && { storedAs })} />
      </QueryClientProvider>,
    )
  const getInput = () => page.find<HTMLInputElement>('input')
  const type = (text: string) => page.type('input', text)
  const submit = () => act(async () => page.find<HTMLFormElement>('form').requestSubmit())
  const getStatus = () => page.getText('[role=status]')

  beforeEach(() => setTabUser('usr_1'))
  afterEach(() => sessionStorage.clear())

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
    const alerts = [...document.querySelectorAll('[role=alert]')].map(alert => alert.textContent)
    expect(alerts).toEqual(['plan: is unknown', expect.stringMatching(/is taken/i)])
    expect(getInput().value).toBe('Other')
  })

  it('can be saved only after a change', async () => {
    const send = vi.fn(() => Promise.resolve())
    await show(send)
    expect(page.find<HTMLButtonElement>('button').disabled).toBe(true)
    await type('Other')
    expect(getStatus()).toBe('Unsaved changes')
    await submit()
    await vi.waitFor(() => expect(getStatus()).toContain('Saved'))
    expect(send.mock.calls).toEqual([[{ name: 'Other', url: '' }, expect.anything()]])
  })

  it('is sent once when submitted twice at the same moment, and again after an error', async () => {
    const send = vi.fn(() => Promise.reject(new ApiError(503, {})))
    await show(send)
    await type('Other')
    const form = page.find<HTMLFormElement>('form')
    await act(async () => {
      form.requestSubmit()
      form.requestSubmit()
    })
    await vi.waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull())
    expect(send).toHaveBeenCalledTimes(1)
    await submit()
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2))
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
    await page.unmount()
    await show(() => Promise.resolve(), storedAs)
    expect(getInput().value).toBe(name)
  })
})
