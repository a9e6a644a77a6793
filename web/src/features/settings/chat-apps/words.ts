import type { ChatApp } from '@/api/chat-apps'

export type Words = { name: string; about: string; channelHelp: string; placeholder: string }

const SLACK: Words = {
  name: 'Slack',
  about:
    'One message for each new review, kept up to date in place. Review types can let people approve and reject there.',
  channelHelp: 'A channel’s ID is at the end of its details in Slack. Left empty: nothing is posted.',
  placeholder: 'C024BE91L',
}

const MATTERMOST: Words = {
  name: 'Mattermost',
  about:
    'One message for each new review. With a bot token it’s kept up to date in place; with an incoming webhook, a second message says how the review ended.',
  channelHelp: 'A channel’s name is what its address ends with. Left empty: nothing is posted.',
  placeholder: 'town-square',
}

const MATTERMOST_BOT: Words = {
  ...MATTERMOST,
  channelHelp:
    'The channel ID is at the bottom of the channel’s info panel in Mattermost. Leave empty to post nothing.',
  placeholder: '4xp9fdt77pncbef59f4k1qe83o',
}

/** What an app calls things depends on how it's connected. */
export function wordsOf({ app, canUpdate }: Pick<ChatApp, 'app' | 'canUpdate'>): Words {
  if (app === 'slack') return SLACK
  return canUpdate ? MATTERMOST_BOT : MATTERMOST
}
