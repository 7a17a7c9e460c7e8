import type { Agent } from '@atelier/cli-transport';

/** The agent, allowed to read further paths. */
export const withReads = (agent: Agent, paths: readonly string[]): Agent => ({
  ...agent,
  call(order, place) {
    const call = agent.call(order, place);
    return { ...call, read: [...(call.read ?? []), ...paths] };
  },
});
