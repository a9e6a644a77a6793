import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { RefreshCw, Send } from 'lucide-react'
import { useMemo, useState } from 'react'
import { allAgentsQuery } from '@/api/settings/agents'
import { allMessagesQuery } from '@/api/settings/outgoing-messages'
import { IconButton } from '@/components/button'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { classes } from '@/lib/classes'
import { SectionFrame } from '../section'
import { ShowMore } from '../show-more'
import { useSearchFilters } from '../use-search'
import { BulkBar } from './bulk-bar'
import { getFilters } from './filters'
import { MessageDialog } from './message-dialog'
import { isFiltered, MessageFilterBar } from './message-filters'
import { MessageTable } from './message-table'

export default function OutgoingMessagesSection() {
  const { search, change } = useSearchFilters()
  const { open, ...rest } = search
  // A relative time range changes every minute, so the filters stay as they are until the URL changes.
  const key = JSON.stringify(rest)
  const filters = useMemo(() => getFilters(JSON.parse(key), Date.now()), [key])
  const messages = useInfiniteQuery({ ...allMessagesQuery(filters), placeholderData: keepPreviousData })
  const agents = useQuery(allAgentsQuery)
  const agentNames = useMemo(
    () => new Map(agents.data?.map(agent => [agent.agentId, agent.name])),
    [agents.data],
  )
  const rows = useMemo(() => messages.data?.pages.flatMap(page => page.items) ?? [], [messages.data])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const isEmpty = rows.length === 0
  return (
    <SectionFrame
      title={t`Outgoing messages`}
      about={t`Everything that Signoff sends for this workspace, newest first.`}
      actions={
        <IconButton
          label={t`Refresh`}
          icon={<RefreshCw className={classes(messages.isRefetching && 'animate-spin')} />}
          onClick={() => messages.refetch()}
        />
      }
    >
      <div className="flex flex-col gap-4">
        <MessageFilterBar search={search} onChange={change} agents={agents.data ?? []} />
        {messages.isPending && <Spinner />}
        {messages.isError && (
          <ErrorState
            title={t`Couldn't load outgoing messages`}
            error={messages.error}
            onRetry={() => messages.refetch()}
          />
        )}
        {messages.isSuccess && isEmpty && !messages.hasNextPage && (
          <NoMessages filtered={isFiltered(search) || search.channel !== undefined} />
        )}
        {!isEmpty && (
          <MessageTable
            rows={rows}
            agentNames={agentNames}
            chosen={chosen}
            onChoose={setChosen}
            onOpen={messageId => change({ open: messageId }, { replace: false })}
          />
        )}
        {(!isEmpty || messages.hasNextPage) && (
          <ShowMore query={messages}>
            {messages.hasNextPage
              ? plural({ count: rows.length }, { one: '# message so far', other: '# messages so far' })
              : plural({ count: rows.length }, { one: '# message', other: '# messages' })}
          </ShowMore>
        )}
        {/* Rows hidden by a filter don't count as selected. */}
        <BulkBar rows={rows.filter(row => chosen.has(row.messageId))} onDone={() => setChosen(new Set())} />
      </div>
      {open && (
        <MessageDialog
          key={open}
          messageId={open}
          agentNames={agentNames}
          onClose={() => change({ open: undefined })}
        />
      )}
    </SectionFrame>
  )
}

function NoMessages({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState icon={<Send />} title={t`No messages match these filters`} />
  ) : (
    <EmptyState icon={<Send />} title={t`No messages yet`}>
      {t`Webhook deliveries, emails, and posts in chat apps show up here.`}
    </EmptyState>
  )
}
