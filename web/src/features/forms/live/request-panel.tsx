import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { API } from '@/api/client'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { NativeSelect } from '@/components/input'
import { Notice } from '@/components/status'
import { useEditor } from '../editor/editor-context'
import { CodeText } from './code-text'
import { SampleEditor } from './sample-editor'
import { LANGUAGES, type SnippetLanguage, snippet } from './snippets'

/** The request for this review as an agent sends it, with this workspace's IDs. */
export function RequestPanel() {
  const { document, saved, sample } = useEditor()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const [isEditing, setEditing] = useState(false)
  const agents = useQuery(allAgentsQuery).data
  const text = snippet(language, {
    address: new URL(API, location.origin).href,
    formId: saved?.formId ?? 'YOUR_FORM_ID',
    agentId: document.agentId === null ? (agents?.[0]?.agentId ?? 'YOUR_AGENT_ID') : null,
    data: sample.data,
  })
  return (
    <section aria-label={t`Request`} className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-8 flex-wrap items-center gap-2">
        <h2 className="flex-1 font-semibold">{t`Request`}</h2>
        {sample.isTyped && !isEditing && (
          <Button size="small" kind="quiet" icon={<RotateCcw />} onClick={() => sample.set(null)}>
            {t`Use generated data`}
          </Button>
        )}
        <Button
          size="small"
          icon={<Pencil />}
          aria-pressed={isEditing}
          onClick={() => setEditing(!isEditing)}
        >
          {isEditing ? t`Done` : t`Edit sample data`}
        </Button>
      </header>
      {isEditing ? (
        <SampleEditor />
      ) : (
        <>
          <div className="flex items-center gap-2">
            <NativeSelect
              aria-label={t({ message: 'Language', context: 'programming language' })}
              className="w-auto"
              value={language}
              onChange={event => setLanguage(event.target.value as SnippetLanguage)}
            >
              {LANGUAGES.map(each => (
                <option key={each.id} value={each.id}>
                  {each.label}
                </option>
              ))}
            </NativeSelect>
            <span className="flex-1" />
            <CopyButton text={text} label={t`Copy`} />
          </div>
          {saved === null && (
            <Notice>{t`Publish this review type to get its ID, then copy this snippet.`}</Notice>
          )}
          {agents?.length === 0 && (
            <Notice actions={<SettingsLink section="agents">{t`Create agent`}</SettingsLink>}>
              <Trans>
                Every request needs an agent, and this workspace doesn't have one yet. Create one, then
                replace <code className="font-mono text-xs">YOUR_AGENT_ID</code>.
              </Trans>
            </Notice>
          )}
          <CodeText label={t`Request snippet`} text={text} />
          <p className="text-muted text-sm">
            <Trans>
              Set <code className="font-mono text-xs">SIGNOFF_API_KEY</code> to an API key with the{' '}
              <code className="font-mono text-xs">reviews:write</code> scope. Create keys in{' '}
              <SettingsLink section="keys">Settings</SettingsLink>.
            </Trans>
          </p>
        </>
      )}
    </section>
  )
}

function SettingsLink({ section, children }: { section: string; children: ReactNode }) {
  return (
    <Link to="/settings/$section" params={{ section }} className="font-medium text-accent hover:underline">
      {children}
    </Link>
  )
}
