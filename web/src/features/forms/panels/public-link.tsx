import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Globe, RefreshCw } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { type PublicLink as Link, publicLinkQuery, usePublicLink } from '@/api/triggers'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { LabeledField } from '@/components/input'
import { Badge, ErrorState } from '@/components/status'
import { Switch } from '@/components/switch'
import { NumberInput } from '@/form'
import { useEditor } from '../editor/editor-context'

const PER_HOUR = 60

/** Lets anyone with a link submit the trigger form. Takes effect immediately, unlike the rest of the editor. */
export function PublicLink() {
  const { document, saved } = useEditor()
  if (!document.trigger) return null
  if (saved === null || !saved.document.trigger)
    return (
      <p className="text-muted text-sm">{t`Publish the trigger form first. Then you can turn on its public link.`}</p>
    )
  return <PublicLinkSwitch formId={saved.formId} />
}

function PublicLinkSwitch({ formId }: { formId: string }) {
  const link = useQuery(publicLinkQuery(formId))
  const { publish, unpublish } = usePublicLink(formId)
  const [isEnding, setEnding] = useState(false)
  if (link.data === undefined)
    return link.error ? (
      <ErrorState
        title={t`Couldn't load the public link`}
        error={link.error}
        onRetry={() => void link.refetch()}
      />
    ) : null
  return (
    <section
      aria-labelledby="public-link"
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 id="public-link" className="font-medium">
          {t`Public link`}
        </h3>
        <Badge tone="warn">{t`Takes effect immediately`}</Badge>
      </div>
      <Switch
        checked={link.data !== null}
        disabled={publish.isPending || unpublish.isPending}
        onChange={isPublic => (isPublic ? publish.mutate(PER_HOUR) : setEnding(true))}
        label={t`Anyone with the link can submit`}
        help={t`No account needed. Changes here apply to the published version right away. You don't need to publish again.`}
      />
      <FormError error={publish.error ?? unpublish.error} paths={['perHour']} />
      {link.data !== null && <Terms key={link.data.link} formId={formId} link={link.data} />}
      <Confirm
        open={isEnding}
        onClose={() => setEnding(false)}
        title={t`Turn off the public link?`}
        confirm={t`Turn off link`}
        busy={unpublish.isPending}
        onConfirm={() => unpublish.mutate(undefined, { onSettled: () => setEnding(false) })}
      >
        {t`The current link stops working permanently. If you turn on the public link again, you get a new one.`}
      </Confirm>
    </section>
  )
}

function Terms({ formId, link }: { formId: string; link: Link }) {
  const { publish, rotate } = usePublicLink(formId)
  const [perHour, setPerHour] = useState<number | undefined>(link.perHour)
  const [isRotating, setRotating] = useState(false)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (perHour !== undefined) publish.mutate(perHour)
  }
  return (
    <div className="ms-12 flex flex-col gap-3 max-md:ms-0">
      <div className="flex flex-wrap items-center gap-2">
        <Globe className="text-muted" />
        <a
          href={link.link}
          target="_blank"
          rel="noopener noreferrer"
          className="min-w-0 flex-1 basis-60 truncate text-accent underline-offset-2 hover:underline"
        >
          {link.link}
        </a>
        <CopyButton text={link.link} label={t`Copy link`} />
        <Button size="small" icon={<RefreshCw />} onClick={() => setRotating(true)}>
          {t`Replace link`}
        </Button>
      </div>
      <form onSubmit={save} className="flex flex-wrap items-end gap-2">
        <LabeledField label={t`Maximum submissions per hour`} error={getFieldError(publish.error, 'perHour')}>
          {attributes => (
            <NumberInput
              {...attributes}
              whole
              required
              min={1}
              max={10_000}
              value={perHour}
              className="w-32"
              onChange={setPerHour}
            />
          )}
        </LabeledField>
        {perHour !== link.perHour && (
          <Button type="submit" busy={publish.isPending}>
            {t`Save`}
          </Button>
        )}
      </form>
      <FormError error={rotate.error} />
      <Confirm
        open={isRotating}
        onClose={() => setRotating(false)}
        title={t`Replace the public link?`}
        confirm={t`Replace link`}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined, { onSettled: () => setRotating(false) })}
      >
        {t`The current link stops working immediately. Anyone who opens it sees that the form is closed.`}
      </Confirm>
    </div>
  )
}
