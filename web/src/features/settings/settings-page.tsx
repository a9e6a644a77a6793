import { t } from '@lingui/core/macro'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { useMe } from '@/api/session'
import { LabeledField, NativeSelect } from '@/components/input'
import { EmptyState, Spinner } from '@/components/status'
import { i18n } from '@/lib/i18n'
import { SECTIONS, type Section } from './sections'

/** One section of the settings at a time, with the list of sections next to it, or above it on a phone. */
export function SettingsPage() {
  const { section: id } = useParams({ from: '/app/settings/$section' })
  const { permissions } = useMe()
  const allowed = SECTIONS.filter(section => !section.needs || permissions.includes(section.needs))
  const section = allowed.find(each => each.id === id)
  useEffect(() => {
    const title = section ? i18n._(section.label) : t`Settings`
    document.title = t`${{ section: title }} · Signoff`
  }, [section])
  return (
    <main className="h-full min-h-0 w-full min-w-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-6xl gap-8 px-6 py-8 max-md:flex-col max-md:gap-5 max-md:px-4 max-md:py-4">
        <SectionList sections={allowed} />
        <SectionSelect sections={allowed} current={section?.id} />
        <div className="min-w-0 flex-1">
          <Suspense fallback={<Spinner />}>
            {section ? <section.page key={section.id} /> : <NoSection />}
          </Suspense>
        </div>
      </div>
    </main>
  )
}

function SectionList({ sections }: { sections: readonly Section[] }) {
  return (
    <nav aria-label={t`Settings`} className="w-44 shrink-0 max-md:hidden">
      <div className="sticky top-8">
        <p className="mb-2 px-2 font-semibold">{t`Settings`}</p>
        <ul className="flex flex-col gap-px">
          {sections.map(({ id, label, icon: Icon }) => (
            <li key={id}>
              <Link
                to="/settings/$section"
                params={{ section: id }}
                activeOptions={{ includeSearch: false }}
                className="flex items-center gap-2 rounded-md px-2 py-1 text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-ink"
                activeProps={{ 'aria-current': 'page' }}
              >
                <Icon className="shrink-0" />
                {i18n._(label)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  )
}

function SectionSelect({ sections, current }: { sections: readonly Section[]; current?: string }) {
  const navigate = useNavigate()
  return (
    <LabeledField label={t`Settings`} className="md:hidden">
      {attributes => (
        <NativeSelect
          {...attributes}
          value={current ?? ''}
          onChange={event => navigate({ to: '/settings/$section', params: { section: event.target.value } })}
        >
          {current === undefined && <option value="">{t`Select…`}</option>}
          {sections.map(({ id, label }) => (
            <option key={id} value={id}>
              {i18n._(label)}
            </option>
          ))}
        </NativeSelect>
      )}
    </LabeledField>
  )
}

function NoSection() {
  return (
    <EmptyState icon={<Lock />} title={t`Settings page not found`}>
      {t`This page doesn't exist, or you need admin access to see it.`}
    </EmptyState>
  )
}
