import { type EditorProps, toText } from '../editor-props'
import { useForm } from '../form-context'
import { getLocation, getMediaSource } from '../media-source'
import type { FieldOf } from '../types'
import { EmptyValue } from './empty-value'
import { MediaInput } from './media-input'
import { MediaState } from './media-state'

export default function VideoEditor({
  field,
  value,
  suggested,
  onChange,
  readOnly,
  attributes,
}: EditorProps<FieldOf<'video'>>) {
  const { media } = useForm()
  const address = toText(value)
  const source = address === '' ? null : getMediaSource(address, media, getLocation())
  return (
    <div className="flex flex-col gap-2">
      {source === null && readOnly && <EmptyValue />}
      {source?.state === 'ready' && (
        // biome-ignore lint/a11y/useMediaCaption: the agent sends a video and nothing else.
        <video
          key={source.source}
          controls
          preload="metadata"
          src={source.source}
          aria-label={field.label}
          className="max-h-[min(28rem,60dvh)] w-full max-w-3xl rounded-md bg-black"
        />
      )}
      {source !== null && source.state !== 'ready' && (
        <MediaState source={source} address={address} isNew={value !== suggested} what="video" />
      )}
      {!readOnly && (
        <MediaInput
          address={address}
          onChange={onChange}
          attributes={attributes}
          accept="video/*"
          required={field.required}
        />
      )}
    </div>
  )
}
