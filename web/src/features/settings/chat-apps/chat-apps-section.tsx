import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { chatAppsQuery } from '@/api/chat-apps'
import { ErrorState, Spinner } from '@/components/status'
import { SectionFrame } from '../section'
import { AppSettings } from './app-settings'

export default function ChatAppsSection() {
  const apps = useQuery(chatAppsQuery)
  return (
    <SectionFrame
      title={t`Chat apps`}
      about={t`Post new reviews to your channels. Reviews that arrive together are grouped in one message.`}
    >
      {apps.isPending && <Spinner />}
      {apps.isError && (
        <ErrorState title={t`Couldn't load chat apps`} error={apps.error} onRetry={() => apps.refetch()} />
      )}
      {apps.data?.map(app => (
        <AppSettings key={app.app} app={app} />
      ))}
    </SectionFrame>
  )
}
