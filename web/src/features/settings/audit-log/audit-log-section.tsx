import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Download, RefreshCw, ScrollText } from 'lucide-react'
import { useMemo } from 'react'
import { type AuditFilters, auditLogQuery } from '@/api/settings/audit-log'
import { Button, IconButton } from '@/components/button'
import { FormError } from '@/components/form-error'
import { EmptyState, ErrorState, Notice, Spinner } from '@/components/status'
import { Table } from '@/components/table'
import { classes } from '@/lib/classes'
import type { SettingsSearch } from '../search-params'
import { SectionFrame } from '../section'
import { ShowMore } from '../show-more'
import { toTimeRange } from '../time-range'
import { useSearchFilters } from '../use-search'
import { AuditFilterBar } from './audit-filters'
import { EntryRow } from './entry-row'
import { useExport } from './use-export'

export default function AuditLogSection() {
  const { search, change } = useSearchFilters()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the filters count, not which entry is open
  const filters = useMemo(
    () => getFilters(search),
    [search.actor, search.kind, search.action, search.object, search.within, search.since, search.until],
  )
  const log = useInfiniteQuery({ ...auditLogQuery(filters), placeholderData: keepPreviousData })
  const csv = useExport(filters)
  const entries = useMemo(() => log.data?.pages.flatMap(page => page.items) ?? [], [log.data])
  return (
    <SectionFrame
      title={t`Audit log`}
      about={t`Who did what in this workspace, newest first.`}
      actions={
        <>
          <IconButton
            label={t`Refresh`}
            icon={<RefreshCw className={classes(log.isRefetching && 'animate-spin')} />}
            onClick={() => log.refetch()}
          />
          <Button
            icon={<Download />}
            disabled={entries.length === 0}
            busy={csv.count !== null}
            title={t`Exports all entries that match the filters`}
            onClick={() => void csv.start()}
          >
            {t`Export CSV`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <AuditFilterBar search={search} onChange={change} />
        <FormError error={csv.error} />
        {csv.count !== null && (
          <Notice
            icon={<Spinner label={t`Exporting…`} />}
            actions={<Button size="small" onClick={csv.cancel}>{t`Cancel export`}</Button>}
          >
            {plural(
              { count: csv.count },
              {
                one: 'Exporting… # entry so far',
                other: 'Exporting… # entries so far',
              },
            )}
          </Notice>
        )}
        {log.isPending && <Spinner />}
        {log.isError && (
          <ErrorState
            title={t`Couldn't load the audit log`}
            error={log.error}
            onRetry={() => log.refetch()}
          />
        )}
        {log.isSuccess && entries.length === 0 && (
          <EmptyState icon={<ScrollText />} title={t`No entries match these filters`} />
        )}
        {entries.length > 0 && (
          <>
            <Table
              label={t`Audit log`}
              columns={[
                { label: t`Details`, isLabelHidden: true, className: 'w-8' },
                { label: t`Action` },
                { label: t`Actor`, className: 'max-md:hidden' },
                { label: t`Object`, className: 'max-lg:hidden' },
                { label: t`Time`, className: 'text-end' },
              ]}
            >
              {entries.map(entry => (
                <EntryRow
                  key={entry.entryId}
                  entry={entry}
                  open={search.open === entry.entryId}
                  onToggle={() => change({ open: search.open === entry.entryId ? undefined : entry.entryId })}
                  onFilter={change}
                />
              ))}
            </Table>
            <ShowMore query={log}>
              {log.hasNextPage
                ? plural({ count: entries.length }, { one: '# entry so far', other: '# entries so far' })
                : plural({ count: entries.length }, { one: '# entry', other: '# entries' })}
            </ShowMore>
          </>
        )}
      </div>
    </SectionFrame>
  )
}

function getFilters(search: SettingsSearch): AuditFilters {
  return {
    actorId: search.actor,
    actorKind: search.kind as AuditFilters['actorKind'],
    action: search.action,
    objectId: search.object,
    ...toTimeRange(search, Date.now()),
  }
}
