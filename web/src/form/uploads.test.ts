import { describe, expect, it, vi } from 'vitest'
import { notUploaded } from './upload-notices'
import { Uploads } from './uploads'

const file = (name: string) => ({ name }) as File

function manualSend() {
  const pending: { resolve: (address: string) => void; reject: (error: Error) => void }[] = []
  const send = () => new Promise<string>((resolve, reject) => pending.push({ resolve, reject }))
  return { pending, send }
}

describe('Uploads', () => {
  it('are known while under way, and gone when done', async () => {
    const uploads = new Uploads()
    const { pending, send } = manualSend()
    const applied: [string, number][] = []
    const done = uploads.start('control', file('a.png'), send, address =>
      applied.push([address, uploads.current().size]),
    )
    expect(uploads.current().get('control')).toEqual({ file: 'a.png', error: null })
    pending[0]?.resolve('/media/a')
    await done
    // The value is set before the upload is removed: a decision that waits for it must not see the old one.
    expect(applied).toEqual([['/media/a', 1]])
    expect(uploads.current().size).toBe(0)
  })

  it('stay with their reason when they fail, until another value is entered', async () => {
    const uploads = new Uploads()
    const { pending, send } = manualSend()
    const apply = vi.fn()
    const done = uploads.start('control', file('a.png'), send, apply)
    pending[0]?.reject(new Error('The file is too large.'))
    await done
    expect(apply).not.toHaveBeenCalled()
    expect(uploads.current().get('control')?.error).toBe('The file is too large.')
    uploads.drop('control')
    expect(uploads.current().size).toBe(0)
  })

  it('give way to a later file, and to what is typed instead', async () => {
    const uploads = new Uploads()
    const { pending, send } = manualSend()
    const apply = vi.fn()
    const first = uploads.start('control', file('a.png'), send, apply)
    const second = uploads.start('control', file('b.png'), send, apply)
    pending[0]?.resolve('/media/a')
    await first
    expect(uploads.current().get('control')?.file).toBe('b.png')
    uploads.drop('control')
    pending[1]?.resolve('/media/b')
    await second
    expect(apply).not.toHaveBeenCalled()
  })
})

describe('notUploaded', () => {
  it('says which file, why, and what is sent instead', () => {
    expect(notUploaded([{ file: 'a.png', error: 'The file is too large.' }])).toBe(
      "Couldn't upload a.png: The file is too large. The field keeps its previous value.",
    )
    expect(notUploaded([{ file: 'a.png', error: '' }])).toContain("Couldn't upload a.png. The field")
    expect(
      notUploaded([
        { file: 'a', error: '' },
        { file: 'b', error: '' },
      ]),
    ).toContain('2 files')
  })
})
