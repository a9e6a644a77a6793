import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useFormName } from '@/api/forms/names'
import { type Insights, type InsightsFilters, insightsQuery } from '@/api/insights'
import { useMe } from '@/api/session'
import { ErrorState } from '@/components/status'
import { classes } from '@/lib/classes'
import { addDays, countDays } from './calendar'
import { Activity } from './charts/activity'
import { Ages } from './charts/ages'
import { formatPeriod, getDay } from './dates'
import './charts/colors.css'
import { SharedCursor } from './charts/cursor'
import { Deliveries } from './charts/deliveries'
import { FieldEditRates } from './charts/field-edits'
import { HeatMap } from './charts/heat-map'
import { Outcomes } from './charts/outcomes'
import { Rates } from './charts/rates'
import { Times } from './charts/times'
import { EmptyInsights } from './empty-insights'
import { Figures } from './figures'
import { getPeriod, type InsightsSearch } from './search-params'
import { Skeleton } from './skeleton'
import { buildAxis } from './slots'
import { Toolbar } from './toolbar'

/** Volume, speed and outcomes of reviews, in charts. */
export function InsightsPage() {
  const search = useSearch({ from: '/app/insights' })
  const { preferences } = useMe()
  const zone = preferences.timeZone ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC')
  const today = getDay(zone, new Date())
  const period = getPeriod(search, today)
  const question: InsightsFilters = {
    from: period.from,
    to: period.to,
    timeZone: zone,
    agentId: search.agent,
    formId: search.form,
  }
  const answer = useQuery(insightsQuery(question))
  return (
    <main className="insights h-full min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-7xl flex-col gap-4 px-4 py-4 md:px-6">
        <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div>
            <h1 className="font-semibold text-xl">{t`Insights`}</h1>
            <p className="text-muted text-sm">{formatPeriod(period.from, period.to, today)}</p>
          </div>
          <p role="status" className="sr-only">
            {answer.isSuccess &&
              !answer.isPlaceholderData &&
              t`Showing ${{ period: formatPeriod(period.from, period.to, today) }}`}
          </p>
          <Toolbar search={search} period={period} today={today} />
        </header>
        <div
          aria-busy={answer.isPlaceholderData || answer.isPending}
          className={classes(
            '@container transition-opacity duration-150',
            answer.isPlaceholderData && 'opacity-50',
          )}
        >
          {answer.data ? (
            <Charts insights={answer.data} search={search} question={question} today={today} />
          ) : answer.isError ? (
            <ErrorState
              title={t`Couldn't load insights`}
              error={answer.error}
              onRetry={() => void answer.refetch()}
            />
          ) : (
            <Skeleton />
          )}
        </div>
      </div>
    </main>
  )
}

type ChartsProps = {
  insights: Insights
  search: InsightsSearch
  question: InsightsFilters
  today: string
}

function Charts({ insights: original, search, question, today }: ChartsProps) {
  const nameOf = useFormName()
  const insights = {
    ...original,
    forms: original.forms.map(form => ({ ...form, name: nameOf({ ...form, formName: form.name }) })),
  }
  const { totals, open, deliveries } = insights
  const happened = totals.requested + totals.decided + totals.autoApproved + deliveries.total
  if (happened === 0)
    return (
      <div className="flex flex-col gap-4">
        <EmptyInsights
          filtered={Object.keys(search).length > 0 || open.total + totals.previous.requested > 0}
        />
        {open.total > 0 && <Ages open={open} className="min-h-64" />}
      </div>
    )
  const axis = buildAxis(insights, new Date())
  const days = countDays(insights.from, insights.to)
  const before = formatPeriod(addDays(insights.from, -days), addDays(insights.from, -1), today)
  return (
    <SharedCursor key={`${insights.from} ${insights.to} ${insights.bucket}`}>
      <div className="grid grid-cols-1 gap-4 @4xl:grid-cols-6">
        <div className="@4xl:col-span-6">
          <Figures insights={insights} axis={axis} before={t`Compared with ${{ period: before }}`} />
        </div>
        <Activity insights={insights} axis={axis} className="@4xl:col-span-6" />
        <Times insights={insights} axis={axis} className="@4xl:col-span-4" />
        <Ages open={open} className="@4xl:col-span-2" />
        <Rates insights={insights} axis={axis} className="@4xl:col-span-3" />
        <HeatMap insights={insights} className="@4xl:col-span-3" />
        <Outcomes
          title={t`Outcomes by agent`}
          kind="agent"
          outcomes={insights.agents.map(agent => ({
            ...agent,
            id: agent.agentId,
            search: { ...search, agent: agent.agentId },
            question: { ...question, agentId: agent.agentId },
          }))}
          className="@4xl:col-span-3"
        />
        <Outcomes
          title={t`Outcomes by review type`}
          kind="reviewType"
          outcomes={insights.forms.map(form => ({
            ...form,
            id: form.formId,
            search: { ...search, form: form.formId },
            question: { ...question, formId: form.formId },
          }))}
          className="@4xl:col-span-3"
        />
        <FieldEditRates insights={insights} className="@4xl:col-span-3" />
        <Deliveries insights={insights} axis={axis} className="@4xl:col-span-3" />
      </div>
    </SharedCursor>
  )
}
