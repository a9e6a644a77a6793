import { createContext, useContext } from 'react'
import type { Json, Media } from './types'

export type Picture = { address: string; label: string }

/** What every editor of a form can ask for. Values are not in it: a key press must not render every field anew. */
export type FormContextValue = {
  idPrefix: string
  media: Media
  uploads?: (file: File) => Promise<string>
  /** Has the service copy a file again that it couldn't copy. Absent for those who may not ask for it. */
  retryMedia?: (url: string) => Promise<void>
  change: (fieldId: string, value: Json) => void
  revert: (fieldId: string) => void
  /** Every image that the form shows now, in reading order, for going through them and comparing. */
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
