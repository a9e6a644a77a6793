import { createContext, useContext } from 'react'
import type { Json, Media } from './types'

export type Picture = { address: string; label: string }

/** Shared by all editors of a form. Values aren't in it, so that a keystroke doesn't render every field again. */
export type FormContextValue = {
  idPrefix: string
  media: Media
  uploads?: (file: File) => Promise<string>
  /** Retries copying a file. Absent for members who aren't allowed to. */
  retryMedia?: (url: string) => Promise<void>
  change: (fieldId: string, value: Json) => void
  revert: (fieldId: string) => void
  /** Every image that the form shows now, in reading order, for the image viewer. */
  pictures: () => Picture[]
}

export const FormContext = createContext<FormContextValue>({
  idPrefix: 'review',
  media: {},
  change: () => undefined,
  revert: () => undefined,
  pictures: () => [],
})

export const useForm = (): FormContextValue => useContext(FormContext)
