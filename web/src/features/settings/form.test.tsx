// @vitest-environment jsdom
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
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
  const show = (send: (body: Body) => Promise<unknown>, storedAs?: string) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Settings send={send} {...(storedAs && { storedAs })} />
      </QueryClientProvider>,
    )
  const getInput = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  const getForm = () => document.forms[0] as HTMLFormElement
  const type = (text: string) => fireEvent.change(getInput(), { target: { value: text } })
  const submit = () => act(async () => getForm().requestSubmit())
  const getStatus = () => screen.getByRole('status').textContent

  beforeEach(() => setTabUser('usr_1'))
  afterEach(() => sessionStorage.clear())

  it('shows the error of a field at its control, and others above', async () => {
    const errors = [
      { path: 'name', code: 'taken', message: 'is taken' },
      { path: 'plan', code: 'unknown', message: 'is unknown' },
    ]
    show(() => Promise.reject(new ApiError(422, { code: 'invalid', errors })))
    type('Other')
    await submit()
    await vi.waitFor(() => expect(getInput().getAttribute('aria-invalid')).toBe('true'))
    expect(
      screen.getByRole('textbox', { name: 'Name', description: /^Shown to everyone\. .*is taken/i }),
    ).toBe(getInput())
    const alerts = screen.getAllByRole('alert').map(alert => alert.textContent)
    expect(alerts).toEqual(['plan: is unknown', expect.stringMatching(/is taken/i)])
    expect(getInput().value).toBe('Other')
  })

  it('can be saved only after a change', async () => {
    const send = vi.fn(() => Promise.resolve())
    show(send)
    expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true)
    type('Other')
    expect(getStatus()).toBe('Unsaved changes')
    await submit()
    await vi.waitFor(() => expect(getStatus()).toContain('Saved'))
    expect(send.mock.calls).toEqual([[{ name: 'Other', url: '' }, expect.anything()]])
  })

  it('is sent once when submitted twice at the same moment, and again after an error', async () => {
    const send = vi.fn(() => Promise.reject(new ApiError(503, {})))
    show(send)
    type('Other')
    const form = getForm()
    await act(async () => {
      form.requestSubmit()
      form.requestSubmit()
    })
    await screen.findByRole('alert')
    expect(send).toHaveBeenCalledTimes(1)
    await submit()
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2))
  })

  it('keeps what was changed while it was being saved', async () => {
    let finish = () => {}
    show(
      () =>
        new Promise<void>(resolve => {
          finish = resolve
        }),
    )
    type('First')
    await submit()
    type('Second')
    await act(async () => finish())
    await vi.waitFor(() => expect(getStatus()).toBe('Unsaved changes'))
    expect(getInput().value).toBe('Second')
  })

  it.each([
    ['workspace', 'Other'],
    [undefined, 'Acme'],
  ])('stored as %s shows %s again', async (storedAs, name) => {
    const { unmount } = show(() => Promise.resolve(), storedAs)
    type('Other')
    unmount()
    show(() => Promise.resolve(), storedAs)
    expect(getInput().value).toBe(name)
  })
})
