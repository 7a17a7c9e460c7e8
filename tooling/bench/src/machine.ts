import { cpus, loadavg, totalmem } from 'node:os';

/** The machine as it is right now. */
export interface Machine {
  readonly at: string;
  readonly platform: string;
  readonly node: string;
  readonly cpus: number;
  readonly memoryMB: number;
  /** Average of the last minute. */
  readonly load: number;
  /** More wants to run than there are processors. */
  readonly loaded: boolean;
}

export function machineNow(): Machine {
  const [load = 0] = loadavg();
  const count = cpus().length;
  return {
    at: new Date().toISOString(),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    cpus: count,
    memoryMB: Math.round(totalmem() / 2 ** 20),
    load,
    loaded: load > count,
  };
}
