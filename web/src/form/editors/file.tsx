import { t } from '@lingui/core/macro'
import { Download, FileText } from 'lucide-react'
import { type EditorProps, toText } from '../editor-props'
import { useForm } from '../form-context'
import { getFileName, getHost, getLocation, getOwnUrl } from '../media-source'
import type { FieldOf } from '../types'
import { isWebAddress } from '../value-types/texts'
import { EmptyValue } from './empty-value'
import { MediaInput } from './media-input'

export default function FileEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
}: EditorProps<FieldOf<'file'>>) {
  const { media } = useForm()
  const address = toText(value)
  const ours = address === '' ? null : getOwnUrl(address, media, getLocation())
  const target = ours ?? (isWebAddress(address) ? address : null)
  return (
    <div className="flex flex-col gap-2">
      {address === '' && readOnly && <EmptyValue />}
      {target !== null && (
        <a
          href={target}
          target="_blank"
          rel="noopener noreferrer"
          download={ours === null ? undefined : true}
          className="inline-flex max-w-full items-center gap-3 self-start rounded-md border border-line bg-surface px-3 py-2 hover:bg-sunken pointer-coarse:min-h-11"
        >
          <FileText className="shrink-0 text-muted" />
          <span className="min-w-0">
            <span dir="auto" className="block font-medium [overflow-wrap:anywhere]">
              {getFileName(address)}
            </span>
            {ours === null && (
              <span className="block text-muted text-sm">{t`From ${{ host: getHost(address) }}`}</span>
            )}
          </span>
          <Download className="shrink-0 text-muted" />
          <span className="sr-only">{t`Download`}</span>
        </a>
      )}
      {!readOnly && (
        <MediaInput address={address} onChange={onChange} attributes={attributes} required={field.required} />
      )}
    </div>
  )
}
