import type { AppName } from '@/api/chat-apps'

type Words = { name: string; about: string; channelHelp: string; placeholder: string }

export const WORDS: Record<AppName, Words> = {
  slack: {
    name: 'Slack',
    about:
      'One message for each new review, kept up to date in place. Review types can let people approve and reject there.',
    channelHelp: 'A channel’s ID is at the end of its details in Slack. Left empty: nothing is posted.',
    placeholder: 'C024BE91L',
  },
  mattermost: {
    name: 'Mattermost',
    about: 'One message for each new review by an incoming webhook, and a second one when it is decided.',
    channelHelp: 'A channel’s name is what its address ends with. Left empty: nothing is posted.',
    placeholder: 'town-square',
  },
}
