import { createServer, type Server } from 'node:http';
import type { Clock } from '@atelier/engine';
import { machineClock } from '../machine-clock.ts';
import { listenPrivately } from '../private-socket.ts';
import { awaited } from './awaited.ts';
import { checkBaseUrl } from './base-url.ts';
import type { Ceiling } from './ceiling.ts';
import type { ApiCredential } from './credentials/credential.ts';
import { heldCredential } from './credentials/held-credential.ts';
import { crowd } from './crowd.ts';
import { DIALECTS, type DialectName } from './dialects/dialect.ts';
import { type ExchangeSettings, exchange } from './exchange.ts';
import { openPass, type Pass, type PassTerms } from './pass.ts';
import { passes, tokenIn } from './passes.ts';
import { type Refusal, refuse } from './refuse.ts';
import { room } from './room.ts';

export interface ApiProxyOptions {
  readonly dialect: DialectName;
  /** Absolute, in a folder of its own, which is what walls let in; the folder is made. */
  readonly socketPath: string;
  /** Where the model API is: http or https, with a path if it has one. `openai`: up to the version. */
  readonly baseUrl: string;
  readonly credential: ApiCredential;
  /**
   * Tokens of workers that may have outlived an earlier host. Requests of theirs wait for them to be let in; after 45 s
   * they are told to try again.
   */
  readonly expected?: readonly string[];
  readonly clock?: Clock;
  /** From 0 to 1, the latter excluded. */
  readonly random?: () => number;
  readonly limits?: Partial<ApiProxyLimits>;
}

/** With what one worker may use in all, also where no budget is set: 1,000,000 output and 20,000,000 input tokens when absent. */
export interface ApiProxyLimits extends Ceiling {
  /** The body of a request, which is kept until its answer begins. 32 MiB when absent. */
  readonly requestBytes: number;
  /** The bodies of one worker's requests together. 64 MiB when absent. */
  readonly passBytes: number;
  /** Those of all workers. 256 MiB when absent. */
  readonly allBytes: number;
  /** Requests of one worker at once. 8 when absent. */
  readonly requestsPerPass: number;
  /** How long a request may take to arrive. 60,000 when absent. */
  readonly requestMs: number;
  /** How long the API may take to begin its answer. 300,000 when absent. */
  readonly answerMs: number;
}

export interface ApiProxy {
  readonly socketPath: string;
  /** Lets a worker in until its pass is dismissed. A second pass of a token takes the place of the first. */
  admit(terms: PassTerms): Pass;
  /** When the last usage limit that anyone met is over, in epoch milliseconds. Nobody is kept out by it. */
  limitedUntil(): number | undefined;
  /** Ends every request and removes the socket. Idempotent. */
  close(): Promise<void>;
}

const LIMITS: ApiProxyLimits = Object.freeze({
  requestBytes: 32 * 1024 * 1024,
  passBytes: 64 * 1024 * 1024,
  allBytes: 256 * 1024 * 1024,
  outputTokens: 1_000_000,
  inputTokens: 20_000_000,
  requestsPerPass: 8,
  requestMs: 60_000,
  answerMs: 300_000,
});

const TRY_AGAIN: Refusal = { status: 503, message: 'the host is starting', retryAfterS: 5 };
const CONNECTIONS = 1024;
const HEADER_BYTES = 32 * 1024;
/** Of one worker, whether it uses them or not. */
const CONNECTIONS_OF_ONE = 64;
const HEADERS_MS = 5_000;

/**
 * Opens the model API, and nothing else of it, to workers that hold a unix socket and the token of a pass. Answers are
 * streamed and metered, the credential is set on the way, and what the API asks to wait for is waited for. Rejects with
 * `API_BASE_URL`, `SOCKET_PATH` or `SOCKET_TAKEN`.
 */
export async function apiProxy(options: ApiProxyOptions): Promise<ApiProxy> {
  const { socketPath, clock = machineClock, random = Math.random } = options;
  const limits = { ...LIMITS, ...options.limits };
  const admitted = passes();
  const space = room(limits.allBytes);
  const coming = awaited(options.expected ?? [], clock);
  let limit: number | undefined;
  const server = serverOf(limits, {
    base: checkBaseUrl(options.baseUrl),
    dialect: DIALECTS[options.dialect],
    credential: heldCredential(options.credential),
    ...{ clock, random, requestBytes: limits.requestBytes, answerMs: limits.answerMs },
    onLimit: (resumeAt) => {
      limit = resumeAt;
    },
  });
  await listenPrivately(server, socketPath);
  let closed: Promise<void> | undefined;
  const close = async () => {
    coming.end();
    for (const pass of admitted.all()) pass.dismiss();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return {
    socketPath,
    admit(terms) {
      const pass = openPass(terms, {
        ...{ clock, maxRequests: limits.requestsPerPass, ceiling: limits },
        room: room(limits.passBytes, space),
        onDismissed: () => admitted.remove(terms.token, pass),
      });
      admitted.add(terms.token, pass);
      coming.arrived(terms.token);
      return pass;
    },
    limitedUntil: () => limit,
    close() {
      closed ??= close();
      return closed;
    },
  };

  function serverOf({ requestMs }: ApiProxyLimits, settings: ExchangeSettings): Server {
    const { dialect } = settings;
    const opened = createServer(
      {
        maxHeaderSize: HEADER_BYTES,
        requestTimeout: requestMs,
        headersTimeout: Math.min(HEADERS_MS, requestMs),
        connectionsCheckingInterval: Math.min(1_000, requestMs),
      },
      (request, response) => {
        const path = request.method === 'POST' ? dialect.pathOf(request.url ?? '') : undefined;
        if (path === undefined)
          return refuse(response, dialect, { status: 404, message: 'only the model endpoint' });
        const serve = (refusal: Refusal) => {
          const pass = admitted.shownBy(request.headers);
          if (!pass) return refuse(response, dialect, refusal);
          if (!present.admit(request.socket, pass))
            return refuse(response, dialect, {
              ...{ status: 429, message: 'too many connections of this attempt', retryAfterS: 1 },
            });
          exchange({ request, response, path, pass }, settings).catch(() => response.destroy());
        };
        const arrival = coming.comes(tokenIn(request.headers));
        if (arrival) void arrival.then(() => serve(TRY_AGAIN));
        else serve({ status: 401, message: 'unknown token' });
      },
    );
    const present = crowd(opened, { most: CONNECTIONS, mostOfOne: CONNECTIONS_OF_ONE });
    return opened;
  }
}
