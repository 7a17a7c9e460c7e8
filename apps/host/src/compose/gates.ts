import type { Gate } from '@atelier/engine';

/** Lets a dispatch through where each gate does, asked in their order; what the last one says of terms holds. */
export const everyGate =
  (...gates: readonly Gate[]): Gate =>
  async (next) => {
    let leave: Awaited<ReturnType<Gate>> = { kind: 'go' };
    for (const gate of gates) {
      leave = await gate(next);
      if (leave.kind !== 'go') return leave;
    }
    return leave;
  };
