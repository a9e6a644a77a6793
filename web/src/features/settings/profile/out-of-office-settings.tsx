import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Palmtree } from 'lucide-react'
import { type Absence, absenceQuery, useUpdateAbsence } from '@/api/assignment'
import type { Me } from '@/api/session'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { ErrorState, Notice } from '@/components/status'
import { formatDateTime } from '@/lib/time'
import { Part } from '../section'
import { OutOfOfficeForm } from './out-of-office-form'

/** Out of office: when, and who the delegate is. */
export function OutOfOfficeSettings({ me }: { me: Me }) {
  const absence = useQuery(absenceQuery)
  const settings = absence.data
  return (
    <Part
      title={t`Out of office`}
      about={t`While you're out, your reviews also go to a delegate. You can still decide them yourself.`}
    >
      <div className="flex max-w-md flex-col gap-4">
        {absence.isError && (
          <ErrorState
            title={t`Couldn't load your out-of-office settings`}
            error={absence.error}
            onRetry={() => absence.refetch()}
          />
        )}
        {settings && (
          <>
            {settings.from && settings.until && settings.delegate && (
              <CurrentAbsence from={settings.from} until={settings.until} delegate={settings.delegate} />
            )}
            <OutOfOfficeForm
              me={me}
              absence={settings.from && settings.until && settings.delegate ? (settings as Absence) : null}
            />
          </>
        )}
      </div>
    </Part>
  )
}

function CurrentAbsence(absence: Absence) {
  const change = useUpdateAbsence()
  const isNow = new Date(absence.from) <= new Date()
  const from = formatDateTime(absence.from)
  const until = formatDateTime(absence.until)
  const delegate = (
    <strong dir="auto" className="font-semibold [overflow-wrap:anywhere]">
      {absence.delegate}
    </strong>
  )
  return (
    <>
      <FormError error={change.error} />
      <Notice
        tone="warn"
        icon={<Palmtree />}
        actions={
          <Button size="small" busy={change.isPending} onClick={() => change.mutate(null)}>
            {isNow ? t`Turn off out of office` : t`Cancel out of office`}
          </Button>
        }
      >
        {isNow ? (
          <Trans>
            You're out of office until {until}. {delegate} is your delegate.
          </Trans>
        ) : (
          <Trans>
            You'll be out of office from {from} to {until}. {delegate} will be your delegate.
          </Trans>
        )}
      </Notice>
    </>
  )
}
