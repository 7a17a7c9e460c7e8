import type { WaveFacts } from './briefing-input.ts';
import { fenceNames } from './fence.ts';

interface WaveAndPhase {
  readonly wave: WaveFacts | undefined;
  readonly phase: string | undefined;
}

/** When the task is done: the plan's labels, and who works beside it. */
export const waveSection = ({ wave, phase }: WaveAndPhase): string =>
  [
    '# Wave and phase\n',
    ...(wave === undefined ? [] : [`wave: ${wave.group}`]),
    ...(phase === undefined ? [] : [fenceNames('phase', [phase])]),
    ...beside(wave?.peers),
  ].join('\n');

const beside = (peers: WaveFacts['peers'] = []): string[] =>
  peers.length === 0
    ? []
    : [
        'Done at the same time, in other folders; leave their work to them:',
        fenceNames('peers', peers),
      ];
