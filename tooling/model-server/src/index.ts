export type { ClientRequest } from './client-request.ts';
export { type ModelServer, type RecordedRequest, startModelServer } from './model-server.ts';
export type { Route, Turn, TurnUsage } from './route.ts';
export { ROUTES } from './routes.ts';
