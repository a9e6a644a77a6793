import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { RefreshCw, Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useMay } from '@/api/session'
import { allAgentsQuery } from '@/api/settings/agents'
import { allDeliveriesQuery, type DeliveryFilters } from '@/api/settings/deliveries'
import { IconButton } from '@/components/button'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { classes } from '@/lib/classes'
import type { SettingsSearch } from '../search-params'
import { SectionFrame } from '../section'
import { More } from '../table'
import { toTimeRange } from '../time-range'
import { useSearchFilters } from '../use-search'
import { BulkBar } from './bulk-bar'
import { DeliveryDialog } from './delivery-dialog'
import { DeliveryFilterBar, isFiltered } from './delivery-filters'
import { DeliveryTable } from './delivery-table'

const MAX_BULK = 200

export default function DeliveriesSection() {
  const { search, change } = useSearchFilters()
  const mayDeliver = useMay('deliver')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the filters count, not which delivery is open
  const filters = useMemo(
    () => getFilters(search),
    [
      search.status,
      search.agent,
      search.form,
      search.target,
      search.event,
      search.within,
      search.since,
      search.until,
    ],
  )
  const deliveries = useInfiniteQuery({ ...allDeliveriesQuery(filters), placeholderData: keepPreviousData })
  const agents = useQuery(allAgentsQuery)
  const agentNames = useMemo(
    () => new Map(agents.data?.map(agent => [agent.agentId, agent.name])),
    [agents.data],
  )
  const rows = useMemo(() => deliveries.data?.pages.flatMap(page => page.items) ?? [], [deliveries.data])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Rows hidden by a filter don't count as selected.
  const selected = rows.filter(row => chosen.has(row.deliveryId)).map(row => row.deliveryId)
  return (
    <SectionFrame
      title={t`Deliveries`}
      about={t`Events sent to or queued for this workspace's webhooks.`}
      actions={
        <IconButton
          label={t`Refresh`}
          icon={<RefreshCw className={classes(deliveries.isRefetching && 'animate-spin')} />}
          onClick={() => deliveries.refetch()}
        />
      }
    >
      <div className="flex flex-col gap-4">
        <DeliveryFilterBar search={search} onChange={change} agents={agents.data ?? []} />
        {deliveries.isPending && <Spinner />}
        {deliveries.isError && (
          <ErrorState
            title={t`Couldn't load deliveries`}
            error={deliveries.error}
            onRetry={() => deliveries.refetch()}
          />
        )}
        {deliveries.isSuccess && rows.length === 0 && <NoDeliveries filtered={isFiltered(search)} />}
        {rows.length > 0 && (
          <>
            <DeliveryTable
              rows={rows}
              agentNames={agentNames}
              chosen={mayDeliver ? chosen : null}
              onChoose={setChosen}
              onOpen={open => change({ open }, { replace: false })}
            />
            <More query={deliveries}>
              {deliveries.hasNextPage
                ? plural({ count: rows.length }, { one: '# delivery so far', other: '# deliveries so far' })
                : plural({ count: rows.length }, { one: '# delivery', other: '# deliveries' })}
            </More>
          </>
        )}
        {mayDeliver && (
          <BulkBar
            deliveryIds={selected.slice(0, MAX_BULK)}
            left={Math.max(0, selected.length - MAX_BULK)}
            rows={rows}
            onDone={() => setChosen(new Set())}
          />
        )}
      </div>
      {search.open && (
        <DeliveryDialog
          key={search.open}
          deliveryId={search.open}
          agentNames={agentNames}
          mayDeliver={mayDeliver}
          onClose={() => change({ open: undefined })}
        />
      )}
    </SectionFrame>
  )
}

function getFilters(search: SettingsSearch): DeliveryFilters {
  return {
    status: search.status as DeliveryFilters['status'],
    agentId: search.agent,
    formId: search.form,
    target: search.target as DeliveryFilters['target'],
    event: search.event,
    ...toTimeRange(search, Date.now()),
  }
}

function NoDeliveries({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState icon={<Send />} title={t`No deliveries match these filters`} />
  ) : (
    <EmptyState icon={<Send />} title={t`No deliveries yet`}>
      {t`Deliveries show up here when a review is decided and its agent has a webhook.`}
    </EmptyState>
  )
}
