/** Uploads of a form. They outlive the control that started them, which may be in a dialog or on another page of a list. */

import { createContext, useContext, useSyncExternalStore } from 'react'

export type Upload = { file: string; error: string | null }

export class Uploads {
  #uploads: ReadonlyMap<string, Upload> = new Map()
  readonly #listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** By the control that they are for: those under way, and those that failed. */
  current = (): ReadonlyMap<string, Upload> => this.#uploads

  /** Uploads the file and applies its address, unless another file or value has taken its place by then. */
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
      // First the value: a decision that waits for the upload goes ahead when the upload is gone.
      apply(address)
      this.#set(control, null)
    } catch (error) {
      if (this.#uploads.get(control) === upload)
        this.#set(control, { ...upload, error: error instanceof Error ? error.message : '' })
    }
  }

  /** Another value was entered: what became of the upload doesn't matter any more. */
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

/** The upload for one control, if it is under way or has failed. */
export function useUpload(control: string): [Uploads, Upload | undefined] {
  const uploads = useContext(UploadsContext)
  return [uploads, useSyncExternalStore(uploads.subscribe, () => uploads.current().get(control))]
}
