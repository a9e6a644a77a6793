/** If there is only one agent, it's preselected. */
export const getOnlyAgent = (agents: readonly { agentId: string }[] | undefined): string | null =>
  agents?.length === 1 ? (agents[0]?.agentId ?? null) : null
