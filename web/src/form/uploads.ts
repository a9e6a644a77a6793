/**
 * The uploads of a form. They outlive the control that started them, which may be in a dialog or on another page of a
 * list.
 */

import { createContext, useContext, useSyncExternalStore } from 'react'

export type Upload = { file: string; error: string | null }

export class Uploads {
  #uploads: ReadonlyMap<string, Upload> = new Map()
  readonly #listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** By control: uploads that are running or have failed. */
  current = (): ReadonlyMap<string, Upload> => this.#uploads

  /** Uploads the file and applies its URL, unless another file or value has replaced it by then. */
  async start(
    control: string,
    file: File,
    send: (file: File) => Promise<string>,
    apply: (address: string) => void,
  ): Promise<void> {
    const upload: Upload = { file: file.name, error: null }
    this.#set(control, upload)
    try {
      const address = await send(file)
      if (this.#uploads.get(control) !== upload) return
      // The value first: a decision that waits for the upload continues when the upload is removed.
      apply(address)
      this.#set(control, null)
    } catch (error) {
      if (this.#uploads.get(control) === upload)
        this.#set(control, { ...upload, error: error instanceof Error ? error.message : '' })
    }
  }

  /** Another value was entered: the result of the upload doesn't matter any more. */
  drop(control: string): void {
    if (this.#uploads.has(control)) this.#set(control, null)
  }

  #set(control: string, upload: Upload | null) {
    const uploads = new Map(this.#uploads)
    if (upload === null) uploads.delete(control)
    else uploads.set(control, upload)
    this.#uploads = uploads
    for (const listener of this.#listeners) listener()
  }
}

export const UploadsContext = createContext(new Uploads())

/** The upload of one control, if it's running or has failed. */
export function useUpload(control: string): [Uploads, Upload | undefined] {
  const uploads = useContext(UploadsContext)
  return [uploads, useSyncExternalStore(uploads.subscribe, () => uploads.current().get(control))]
}
