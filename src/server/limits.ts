import type { Operation } from '../contract/operation.ts';

/** What the server gives a client before it lets go of it; all times in milliseconds. */
export interface ServerLimits {
  /** Until the headers of a request are there, counted from the connection for the first one. */
  readonly headersTimeout: number;
  /** Until a request is there as a whole. */
  readonly requestTimeout: number;
  /** Until the answer is ready; 504 after that. */
  readonly answerTimeout: number;
  /** How long a kept connection may be idle. */
  readonly keepAliveTimeout: number;
  /** Silence on a connection in the middle of an exchange. */
  readonly socketTimeout: number;
  /** How often headersTimeout and requestTimeout are looked after. */
  readonly checkEvery: number;
  /** Requests a minute for each token, or each address where there is none; 0 for no limit. */
  readonly rateLimit: number;
}

/** Every one of them under 30 s, so that no slow or silent client is held longer. */
export const defaultLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 25_000,
  answerTimeout: 20_000,
  keepAliveTimeout: 10_000,
  socketTimeout: 28_000,
  checkEvery: 1000,
  rateLimit: 0,
};

/** Longest path parameter, in characters; a longer one names nothing. */
export const maxParameterLength = 1024;

export interface BodyLimits {
  readonly bytes: number;
  /** Values in the JSON text. */
  readonly nodes: number;
}

const MiB = 1024 * 1024;
const defaultBodyLimits: BodyLimits = { bytes: MiB, nodes: 100_000 };
const largeBodyLimits: BodyLimits = { bytes: 8 * MiB, nodes: 500_000 };

/** Routes that take more than the usual body, with parameter names left out. */
const bodyLimitsById: Readonly<Record<string, BodyLimits>> = {
  'POST /orgs/:/conversations': largeBodyLimits,
  'POST /orgs/:/conversations/batch': largeBodyLimits,
  'POST /orgs/:/openapi': largeBodyLimits,
  'PUT /orgs/:/openapi/:': largeBodyLimits,
  'POST /integrations/:': largeBodyLimits,
  'POST /spaces/:/change-requests/:/merge': largeBodyLimits,
  'POST /spaces/:/change-requests/:/update': largeBodyLimits,
  'POST /spaces/:/change-requests/:/content': { bytes: 16 * MiB, nodes: 500_000 },
  'POST /spaces/:/change-requests/:/content/batch': { bytes: 16 * MiB, nodes: 500_000 },
};

/** How large the body of an operation may be. */
export function bodyLimitsOf(operation: Operation): BodyLimits {
  return bodyLimitsById[operation.route.replace(/:\w+/g, ':')] ?? defaultBodyLimits;
}
