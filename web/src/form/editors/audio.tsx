import { t } from '@lingui/core/macro'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/button'
import { type EditorProps, toText } from '../editor-props'
import { useForm } from '../form-context'
import { getHost, getLocation, getOwnUrl } from '../media-source'
import type { FieldOf } from '../types'
import { isWebAddress } from '../value-types/texts'
import { EmptyValue } from './empty-value'
import { MediaInput } from './media-input'

/** Audio files aren't copied: an external one is loaded only after the member has seen where it comes from. */
export default function AudioEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
}: EditorProps<FieldOf<'audio'>>) {
  const { media } = useForm()
  const [allowed, setAllowed] = useState<string | null>(null)
  const address = toText(value)
  const ours = address === '' ? null : getOwnUrl(address, media, getLocation())
  const source = ours ?? (allowed === address && isWebAddress(address) ? address : null)
  return (
    <div className="flex flex-col gap-2">
      {address === '' && readOnly && <EmptyValue />}
      {source !== null && (
        // biome-ignore lint/a11y/useMediaCaption: the agent sends a recording and nothing else.
        <audio
          key={source}
          controls
          autoPlay={ours === null}
          src={source}
          aria-label={field.label}
          className="h-10 w-full max-w-xl"
        />
      )}
      {source === null && isWebAddress(address) && (
        <div className="flex flex-wrap items-center gap-3">
          <Button icon={<Play />} onClick={() => setAllowed(address)}>
            {t`Play from ${{ host: getHost(address) }}`}
          </Button>
          <span className="text-muted text-sm">{t`Playing loads this file from an external site.`}</span>
        </div>
      )}
      {!readOnly && (
        <MediaInput address={address} onChange={onChange} attributes={attributes} required={field.required} />
      )}
    </div>
  )
}
