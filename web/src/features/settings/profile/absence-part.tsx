import { useQuery } from '@tanstack/react-query'
import { Palmtree } from 'lucide-react'
import { type Absence, absenceQuery, useChangeAbsence } from '@/api/assignment'
import type { Me } from '@/api/session'
import { Button } from '@/components/button'
import { FormFault } from '@/components/form-fault'
import { Failure, Notice } from '@/components/status'
import { moment } from '@/lib/time'
import { Part } from '../section'
import { AbsenceForm } from './absence-form'

/** Out of office: when, and who is asked meanwhile. */
export function AbsencePart({ me }: { me: Me }) {
  const absence = useQuery(absenceQuery)
  const held = absence.data
  return (
    <Part
      title="Out of office"
      about="While you are away, somebody else is asked for what you are asked for. You can still decide yourself."
    >
      <div className="flex max-w-md flex-col gap-4">
        {absence.isError && <Failure error={absence.error} onRetry={() => absence.refetch()} />}
        {held && (
          <>
            {held.from && held.until && held.delegate && (
              <IsAway from={held.from} until={held.until} delegate={held.delegate} />
            )}
            <AbsenceForm
              me={me}
              absence={held.from && held.until && held.delegate ? (held as Absence) : null}
            />
          </>
        )}
      </div>
    </Part>
  )
}

function IsAway({ from, until, delegate }: Absence) {
  const change = useChangeAbsence()
  const isNow = new Date(from) <= new Date()
  return (
    <>
      <FormFault error={change.error} />
      <Notice
        tone="warn"
        icon={<Palmtree size={16} aria-hidden="true" />}
        actions={
          <Button
            size="small"
            busy={change.isPending}
            onClick={() => change.mutate(null)}
            className="max-md:h-11"
          >
            {isNow ? 'I am back' : 'I stay'}
          </Button>
        }
      >
        {isNow
          ? `You are away until ${moment(until)}.`
          : `You are away from ${moment(from)} until ${moment(until)}.`}{' '}
        <strong className="font-semibold [overflow-wrap:anywhere]">{delegate}</strong>{' '}
        {isNow ? 'stands in.' : 'will stand in.'}
      </Notice>
    </>
  )
}
