import { t } from '@lingui/core/macro'
import type { ChatApp } from '@/api/chat-apps'

export type AppTexts = { name: string; about: string; channelHelp: string; placeholder: string }

/** The texts about an app. Mattermost has channel IDs with a bot token, and channel names with a webhook. */
export function getAppTexts({ app, canUpdate }: Pick<ChatApp, 'app' | 'canUpdate'>): AppTexts {
  if (app === 'slack')
    return {
      name: 'Slack',
      about: t`Posts a message for each new review and keeps it up to date. Review types can allow approving and rejecting in Slack.`,
      channelHelp: t`Enter a channel ID. In Slack, you'll find it at the bottom of the channel details. Leave empty to post nothing.`,
      placeholder: 'C024BE91L',
    }
  const mattermost = {
    name: 'Mattermost',
    about: t`Posts a message for each new review. With a bot token, the message stays up to date. With an incoming webhook, a second message is posted when the review is decided.`,
  }
  return canUpdate
    ? {
        ...mattermost,
        channelHelp: t`Enter a channel ID. In Mattermost, you'll find it at the bottom of the channel info. Leave empty to post nothing.`,
        placeholder: '4xp9fdt77pncbef59f4k1qe83o',
      }
    : {
        ...mattermost,
        channelHelp: t`Enter the channel's name as shown at the end of the channel's URL. Leave empty to post nothing.`,
        placeholder: 'town-square',
      }
}
