import { Problem } from '../errors/problem.ts';
import type { Reason } from '../errors/catalog.ts';
import { connectionRetryBase, type Failure } from './retry.ts';

interface FailureKind {
  readonly reason: Reason;
  readonly text: string;
  readonly hint: string;
  readonly isRetryable: boolean;
}

const check = 'Check --server, and that the server is running.';
const refused: FailureKind = {
  reason: 'unreachable',
  text: 'refused the connection',
  hint: check,
  isRetryable: true,
};
const noRoute: FailureKind = {
  reason: 'unreachable',
  text: 'cannot be reached over the network',
  hint: check,
  isRetryable: true,
};
const unknown: FailureKind = {
  reason: 'unreachable',
  text: 'is a host that no name server knows',
  hint: 'Check --server for a typing error.',
  isRetryable: false,
};
const broken: FailureKind = {
  reason: 'unreachable',
  text: 'broke off the connection before its answer was complete',
  hint: 'Try again; the same write is done once.',
  isRetryable: true,
};
const garbled: FailureKind = {
  reason: 'unreachable',
  text: 'did not answer in HTTP',
  hint: 'Check --server.',
  isRetryable: false,
};
const slow: FailureKind = {
  reason: 'timed-out',
  text: 'did not answer in time',
  hint: 'Try again later.',
  isRetryable: false,
};
const untrusted: FailureKind = {
  reason: 'unreachable',
  text: 'has no certificate that this machine trusts',
  hint: 'Name its authority in NODE_EXTRA_CA_CERTS.',
  isRetryable: false,
};

const kinds: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: refused,
  ENOTFOUND: unknown,
  EAI_AGAIN: noRoute,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  ETIMEDOUT: { ...slow, text: 'did not take the connection in time', isRetryable: true },
  UND_ERR_CONNECT_TIMEOUT: { ...slow, text: 'did not take the connection in time', isRetryable: true },
  UND_ERR_HEADERS_TIMEOUT: slow,
  UND_ERR_BODY_TIMEOUT: { ...slow, text: 'fell silent in the middle of its answer' },
  UND_ERR_HEADERS_OVERFLOW: { ...garbled, text: 'sent too many headers' },
  ECONNRESET: broken,
  ECONNABORTED: broken,
  EPIPE: broken,
  UND_ERR_SOCKET: broken,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken,
  HPE_INVALID_EOF_STATE: broken,
  EPROTO: { ...garbled, text: 'does not speak TLS as expected' },
};

/** Describes an error of the connection and whether a retry may help; undefined for an unknown error, which is a bug. */
export function describeConnectionFailure(origin: string, error: Error): Failure | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const kind =
    error.name === 'HTTPParserError' && code !== 'HPE_INVALID_EOF_STATE'
      ? garbled
      : (kinds[code] ?? kindByPrefix(code));
  if (kind === undefined) return undefined;
  const problem = new Problem(kind.reason, `${origin} ${kind.text}${code === '' ? '' : ` (${code})`}.`, {
    hint: kind.hint,
    cause: error,
  });
  return kind.isRetryable ? { problem, retryBase: connectionRetryBase } : { problem };
}

function kindByPrefix(code: string): FailureKind | undefined {
  if (code.startsWith('ERR_SSL_')) return kinds['EPROTO'];
  if (/CERT|ERR_TLS_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE/.test(code))
    return untrusted;
  return /^E[A-Z]+$/.test(code) ? noRoute : undefined;
}
