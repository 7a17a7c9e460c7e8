export type { ClientRequest } from './client-request.ts';
export { type ModelServer, type RecordedRequest, startModelServer } from './model-server.ts';
export {
  type RecordedResponsesRequest,
  type ResponsesServer,
  startResponsesServer,
} from './responses/responses-server.ts';
export type { ResponsesRoute, ResponsesTurn, ResponsesUsage } from './responses/route.ts';
export { RESPONSES_ROUTES } from './responses/routes.ts';
export type { Route, Turn, TurnUsage } from './route.ts';
export { ROUTES } from './routes.ts';
