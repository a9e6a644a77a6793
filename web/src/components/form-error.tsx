import { CircleAlert } from 'lucide-react'
import { getFormError } from '@/api/errors'
import { Notice } from './status'

/** The error that kept a form from being saved and belongs to none of the fields with the given paths. */
export function FormError({ error, paths = [] }: { error: unknown; paths?: readonly string[] }) {
  const message = getFormError(error, paths)
  if (message === null) return null
  return (
    <div role="alert">
      <Notice tone="bad" icon={<CircleAlert />}>
        {message}
      </Notice>
    </div>
  )
}
