import type { LoomTransport } from './transport.ts';

/** Whether there is a chat server for this workspace, and where. */
export type LoomStatus =
  | { readonly available: false; readonly reason: string }
  | {
      readonly available: true;
      readonly url: string;
      readonly port: number;
      /** What named it. */
      readonly source: 'env' | 'endpoint-file' | 'scan';
      /** The longest body in UTF-16 units. */
      readonly maxBody: number;
      readonly transport: LoomTransport;
    };
