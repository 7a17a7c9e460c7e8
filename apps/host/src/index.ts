export {
  dispatchHostPipeline,
  type HostPipelineOptions,
  type HostPipelineResult,
} from './dispatch-host-pipeline.ts';
export { HostError } from './host-error.ts';
export { main, type Surroundings } from './main.ts';
export type { Output, Streams } from './streams.ts';
