/** Every way docsctl can say no: reason → HTTP status and exit code. The one list of both. */
export const catalog = {
  unexpected: { status: 500, exit: 1 },
  'changes-pending': { status: 200, exit: 2 },
  'partly-failed': { status: 207, exit: 3 },
  unauthenticated: { status: 401, exit: 4 },
  'not-found': { status: 404, exit: 5 },
  ambiguous: { status: 409, exit: 5 },
  conflict: { status: 409, exit: 6 },
  'precondition-failed': { status: 412, exit: 6 },
  'key-reused': { status: 422, exit: 6 },
  'rate-limited': { status: 429, exit: 7 },
  'invalid-input': { status: 400, exit: 8 },
  'too-large': { status: 413, exit: 8 },
  'unsupported-media': { status: 415, exit: 8 },
  'method-not-allowed': { status: 405, exit: 10 },
  'guard-refused': { status: 409, exit: 9 },
  'not-implemented': { status: 501, exit: 10 },
  forbidden: { status: 403, exit: 11 },
  usage: { status: 400, exit: 64 },
  'script-failed': { status: 502, exit: 69 },
  unreachable: { status: 503, exit: 69 },
  'store-busy': { status: 503, exit: 69 },
  'store-failed': { status: 500, exit: 69 },
  'timed-out': { status: 504, exit: 69 },
  interrupted: { status: 499, exit: 130 },
} as const satisfies Record<string, { status: number; exit: number }>;

export type Reason = keyof typeof catalog;

/** Returns a reason that is stored or received as text; undefined for an unknown one. */
export function reasonNamed(text: unknown): Reason | undefined {
  return typeof text === 'string' && Object.hasOwn(catalog, text) ? (text as Reason) : undefined;
}

/** The reason for an HTTP status of a server that names none. */
export function reasonForStatus(status: number): Reason {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 405 || status === 501) return 'not-implemented';
  if (status === 409) return 'conflict';
  if (status === 412) return 'precondition-failed';
  if (status === 413) return 'too-large';
  if (status === 429) return 'rate-limited';
  if (status === 504 || status === 408) return 'timed-out';
  if (status === 502 || status === 503) return 'unreachable';
  return status >= 400 && status < 500 ? 'invalid-input' : 'unexpected';
}
