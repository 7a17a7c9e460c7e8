import type { Agent } from '@atelier/cli-transport';
import type { KillPoint } from './kill-point.ts';

interface FatalAgentOptions {
  readonly point: KillPoint | undefined;
  readonly die: () => never;
  readonly onReport: () => void;
}

/** An agent whose host dies when it has seen how a worker ended, before anyone is told. */
export function fatalAgent(agent: Agent, { point, die, onReport }: FatalAgentOptions): Agent {
  let seen = 0;
  return {
    ...agent,
    report(exit, order) {
      seen += 1;
      if (point?.kind === 'report' && point.nth === seen) die();
      onReport();
      return agent.report(exit, order);
    },
  };
}
