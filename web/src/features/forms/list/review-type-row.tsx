import { t } from '@lingui/core/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Copy, Download, Ellipsis, PencilLine } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { getFieldError } from '@/api/errors'
import {
  getExportUrl,
  useArchiveForm,
  useDuplicateForm,
  useRenameForm,
  useUnarchiveForm,
} from '@/api/forms/mutations'
import type { FormRow } from '@/api/forms/types'
import { Button, IconButton } from '@/components/button'
import { Confirm, Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { RelativeTime } from '@/components/relative-time'
import { Badge } from '@/components/status'
import { formatNumber } from '@/lib/i18n'
import { downloadFrom } from '../panels/download'

/** A review type in the list, with its actions. */
export function ReviewTypeRow({
  form,
  agent,
  open,
  isArchived,
}: {
  form: FormRow
  agent: string | null
  open: number
  isArchived: boolean
}) {
  const navigate = useNavigate()
  const [asks, setAsks] = useState<'rename' | 'archive' | null>(null)
  const duplicate = useDuplicateForm()
  const archive = useArchiveForm()
  const unarchive = useUnarchiveForm()
  const copy = () =>
    duplicate.mutate(form.formId, {
      onSuccess: made => void navigate({ to: '/review-types/$formId', params: { formId: made.formId } }),
    })
  return (
    <li className="border-line border-b">
      <div className="flex min-w-0 items-center gap-4 py-1">
        <Link
          to="/review-types/$formId"
          params={{ formId: form.formId }}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-0.5 max-md:gap-x-3 rounded px-1 py-1.5 hover:bg-sunken pointer-coarse:min-h-11"
        >
          <span dir="auto" className="min-w-0 flex-1 basis-56 truncate font-medium max-md:basis-full">
            {form.name}
          </span>
          {open > 0 && <Badge tone="accent">{t`${{ count: formatNumber(open) }} pending`}</Badge>}
          <span className="w-36 truncate text-muted text-sm max-md:w-auto">{agent ?? t`No agent`}</span>
          <span className="w-20 text-muted text-sm max-md:w-auto">{t`Version ${{ version: formatNumber(form.version) }}`}</span>
          <span className="w-28 text-muted text-sm max-md:w-auto">
            <RelativeTime at={form.updatedAt} />
          </span>
        </Link>
        <Menu trigger={<IconButton label={t`More actions for ${{ name: form.name }}`} icon={<Ellipsis />} />}>
          <MenuItem icon={<PencilLine />} onSelect={() => setAsks('rename')}>
            {t`Rename`}
          </MenuItem>
          <MenuItem icon={<Copy />} onSelect={copy}>
            {t`Duplicate`}
          </MenuItem>
          <MenuItem icon={<Download />} onSelect={() => downloadFrom(getExportUrl(form.formId))}>
            {t`Export`}
          </MenuItem>
          <MenuSeparator />
          {isArchived ? (
            <MenuItem icon={<ArchiveRestore />} onSelect={() => unarchive.mutate(form.formId)}>
              {t`Unarchive`}
            </MenuItem>
          ) : (
            <MenuItem danger icon={<Archive />} onSelect={() => setAsks('archive')}>
              {t`Archive`}
            </MenuItem>
          )}
        </Menu>
      </div>
      <FormError error={duplicate.error ?? unarchive.error ?? archive.error} />
      {asks === 'rename' && <RenameDialog form={form} onClose={() => setAsks(null)} />}
      <Confirm
        open={asks === 'archive'}
        onClose={() => setAsks(null)}
        title={t`Archive ${{ name: form.name }}?`}
        confirm={t`Archive`}
        busy={archive.isPending}
        onConfirm={() => archive.mutate(form.formId, { onSettled: () => setAsks(null) })}
      >
        <p>
          {t`Agents can't request new reviews of this type. Existing reviews aren't affected. You can unarchive it anytime.`}
        </p>
      </Confirm>
    </li>
  )
}

function RenameDialog({ form, onClose }: { form: FormRow; onClose: () => void }) {
  const id = useId()
  const [name, setName] = useState(form.name)
  const rename = useRenameForm()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate({ formId: form.formId, name }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Rename review type`}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={id} busy={rename.isPending}>
            {t`Rename`}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="flex flex-col gap-3">
        <FormError error={rename.error} paths={['name']} />
        <LabeledField label={t`Name`} error={getFieldError(rename.error, 'name')}>
          {attributes => (
            <Input
              {...attributes}
              required
              maxLength={200}
              autoComplete="off"
              value={name}
              onChange={event => setName(event.target.value)}
            />
          )}
        </LabeledField>
      </form>
    </Dialog>
  )
}
