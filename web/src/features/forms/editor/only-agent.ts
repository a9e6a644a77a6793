/** Where there is one agent, reviews are almost certainly its: nobody should have to say so. */
export const onlyAgent = (agents: readonly { agentId: string }[] | undefined): string | null =>
  agents?.length === 1 ? (agents[0]?.agentId ?? null) : null
