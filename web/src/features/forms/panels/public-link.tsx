import { useQuery } from '@tanstack/react-query'
import { Globe, RefreshCw } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { faultAt } from '@/api/faults'
import { type PublicLink as Link, publicLinkQuery, usePublicLink } from '@/api/triggers'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled } from '@/components/input'
import { Failure } from '@/components/status'
import { Switch } from '@/components/switch'
import { useEditor } from '../editor/editor-context'

const PER_HOUR = 60

/** Whether everybody can fill in the trigger form who has a link to it. Holds at once, unlike the rest of the editor. */
export function PublicLink() {
  const { document, saved } = useEditor()
  if (!document.trigger) return null
  if (saved === null || !saved.document.trigger)
    return (
      <p className="text-muted text-sm">
        Publish the trigger form first; then it can be opened to everybody.
      </p>
    )
  return <Switched formId={saved.formId} />
}

function Switched({ formId }: { formId: string }) {
  const link = useQuery(publicLinkQuery(formId))
  const { publish, unpublish } = usePublicLink(formId)
  const [isEnding, setEnding] = useState(false)
  if (link.data === undefined)
    return link.error ? <Failure error={link.error} onRetry={() => void link.refetch()} /> : null
  return (
    <div className="flex flex-col gap-3">
      <Switch
        checked={link.data !== null}
        disabled={publish.isPending || unpublish.isPending}
        onChange={isPublic => (isPublic ? publish.mutate(PER_HOUR) : setEnding(true))}
        label="Open to everybody with the link"
        help="No account is needed. Takes effect at once, for the version that is published."
      />
      <FormFault error={publish.error ?? unpublish.error} paths={['perHour']} />
      {link.data !== null && <Terms key={link.data.link} formId={formId} link={link.data} />}
      <Confirm
        open={isEnding}
        onClose={() => setEnding(false)}
        title="Close the form to the public?"
        confirm="Close it"
        busy={unpublish.isPending}
        onConfirm={() => unpublish.mutate(undefined, { onSettled: () => setEnding(false) })}
      >
        The link ends for good. Should the form be opened again, it gets another one.
      </Confirm>
    </div>
  )
}

function Terms({ formId, link }: { formId: string; link: Link }) {
  const { publish, rotate } = usePublicLink(formId)
  const [perHour, setPerHour] = useState(String(link.perHour))
  const [isRotating, setRotating] = useState(false)
  const save = (event: FormEvent) => {
    event.preventDefault()
    publish.mutate(Number(perHour))
  }
  return (
    <div className="ml-12 flex flex-col gap-3 max-md:ml-0">
      <div className="flex flex-wrap items-center gap-2">
        <Globe size={15} className="text-muted" aria-hidden="true" />
        <a
          href={link.link}
          target="_blank"
          rel="noopener noreferrer"
          className="min-w-0 flex-1 basis-60 truncate text-accent underline-offset-2 hover:underline"
        >
          {link.link}
        </a>
        <Copy text={link.link} label="Copy link" />
        <Button size="small" icon={<RefreshCw size={14} />} onClick={() => setRotating(true)}>
          Replace
        </Button>
      </div>
      <form onSubmit={save} className="flex flex-wrap items-end gap-2">
        <Labelled label="Submissions an hour, at most" error={faultAt(publish.error, 'perHour')}>
          {ties => (
            <Input
              {...ties}
              type="number"
              min={1}
              max={10_000}
              value={perHour}
              className="w-32"
              onChange={event => setPerHour(event.target.value)}
            />
          )}
        </Labelled>
        {perHour !== String(link.perHour) && (
          <Button type="submit" busy={publish.isPending} className="max-md:h-11">
            Save
          </Button>
        )}
      </form>
      <FormFault error={rotate.error} />
      <Confirm
        open={isRotating}
        onClose={() => setRotating(false)}
        title="Replace the link?"
        confirm="Replace it"
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined, { onSettled: () => setRotating(false) })}
      >
        The present link ends at once. Whoever has it sees that the form is closed.
      </Confirm>
    </div>
  )
}
