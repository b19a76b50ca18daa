import type { Operation } from '../contract/operation.ts';

/** Limits for each client. All times are in milliseconds. */
export interface ServerLimits {
  /** Time to receive the headers of a request. For the first request it starts with the connection. */
  readonly headersTimeout: number;
  /** Time to receive a whole request. */
  readonly requestTimeout: number;
  /** Time to make an answer. After it, the request gets 504. */
  readonly answerTimeout: number;
  /** Time that a connection may be idle between two requests. */
  readonly keepAliveTimeout: number;
  /** Time without any byte on a connection during a request or an answer. */
  readonly socketTimeout: number;
  /** Time between two checks of headersTimeout and requestTimeout. */
  readonly checkEvery: number;
  /** Requests per minute for each token, or for each address of requests without a token. 0 means no limit. */
  readonly rateLimit: number;
  /** Requests per minute for each organization, from all its members and programs. 0 means no limit. */
  readonly organizationRateLimit: number;
}

/** The default limits. Each time is below 30 s, so that slow and silent clients are disconnected by then. */
export const defaultLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 25_000,
  answerTimeout: 20_000,
  keepAliveTimeout: 10_000,
  socketTimeout: 28_000,
  checkEvery: 1000,
  rateLimit: 0,
  organizationRateLimit: 0,
};

/** Milliseconds after which a call that still reads or writes many rows moves to another thread, if there are any. */
export const maxCallTime = 15;

/** Maximum size of a body that the main thread parses if there are other threads, in bytes. */
export const maxBodyHere = 128 * 1024;

/** Maximum length of a path parameter, in characters. All IDs and paths are shorter. */
export const maxParameterLength = 1024;

/** The maximum size of a request body. */
interface BodyLimits {
  readonly bytes: number;
  /** Number of JSON values, including nested ones. */
  readonly nodes: number;
}

const MiB = 1024 * 1024;
const defaultBodyLimits: BodyLimits = { bytes: MiB, nodes: 100_000 };
const largeBodyLimits: BodyLimits = { bytes: 8 * MiB, nodes: 500_000 };

/** Limits of the operations that accept larger bodies, by route. Path parameters have no names here. */
const bodyLimitsById: Readonly<Record<string, BodyLimits>> = {
  'POST /orgs/:/conversations': largeBodyLimits,
  'POST /orgs/:/conversations/batch': largeBodyLimits,
  'POST /orgs/:/openapi': largeBodyLimits,
  'PUT /orgs/:/openapi/:': largeBodyLimits,
  'POST /integrations/:': largeBodyLimits,
  'POST /orgs/:/broken-links': { bytes: 16 * MiB, nodes: 500_000 },
  'POST /spaces/:/change-requests/:/merge': largeBodyLimits,
  'POST /spaces/:/change-requests/:/update': largeBodyLimits,
  'POST /spaces/:/change-requests/:/content': { bytes: 16 * MiB, nodes: 500_000 },
  'POST /spaces/:/change-requests/:/content/batch': { bytes: 16 * MiB, nodes: 500_000 },
};

/** Returns the limits for the body of an operation. */
export function bodyLimitsOf(operation: Operation): BodyLimits {
  return bodyLimitsById[operation.route.replace(/:\w+/g, ':')] ?? defaultBodyLimits;
}
