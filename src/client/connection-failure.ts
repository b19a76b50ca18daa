import { Problem } from '../errors/problem.ts';
import type { Reason } from '../errors/catalog.ts';
import { CONNECTION_BASE, type Failure } from './retry.ts';

interface Kind {
  readonly reason: Reason;
  readonly says: string;
  readonly hint: string;
  readonly again: boolean;
}

const check = 'Check --server, and that the server is running.';
const refused: Kind = { reason: 'unreachable', says: 'refused the connection', hint: check, again: true };
const noWay: Kind = {
  reason: 'unreachable',
  says: 'cannot be reached over the network',
  hint: check,
  again: true,
};
const unknown: Kind = {
  reason: 'unreachable',
  says: 'is a host that no name server knows',
  hint: 'Check --server for a typing error.',
  again: false,
};
const broken: Kind = {
  reason: 'unreachable',
  says: 'broke off the connection before its answer was complete',
  hint: 'Try again; the same write is done once.',
  again: true,
};
const garbled: Kind = {
  reason: 'unreachable',
  says: 'did not answer in HTTP',
  hint: 'Check --server.',
  again: false,
};
const slow: Kind = {
  reason: 'timed-out',
  says: 'did not answer in time',
  hint: 'Try again later.',
  again: false,
};
const untrusted: Kind = {
  reason: 'unreachable',
  says: 'has no certificate that this machine trusts',
  hint: 'Name its authority in NODE_EXTRA_CA_CERTS.',
  again: false,
};

const kinds: Readonly<Record<string, Kind>> = {
  ECONNREFUSED: refused,
  ENOTFOUND: unknown,
  EAI_AGAIN: noWay,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  EADDRNOTAVAIL: noWay,
  ETIMEDOUT: { ...slow, says: 'did not take the connection in time', again: true },
  UND_ERR_CONNECT_TIMEOUT: { ...slow, says: 'did not take the connection in time', again: true },
  UND_ERR_HEADERS_TIMEOUT: slow,
  UND_ERR_BODY_TIMEOUT: { ...slow, says: 'fell silent in the middle of its answer' },
  UND_ERR_HEADERS_OVERFLOW: { ...garbled, says: 'sent too many headers' },
  ECONNRESET: broken,
  ECONNABORTED: broken,
  EPIPE: broken,
  UND_ERR_SOCKET: broken,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken,
  HPE_INVALID_EOF_STATE: broken,
  EPROTO: { ...garbled, says: 'does not speak TLS as expected' },
};

/** What an error of the connection means to the user, and whether another try may help; undefined for a bug of ours. */
export function connectionFailure(origin: string, error: Error): Failure | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const kind =
    error.name === 'HTTPParserError' && code !== 'HPE_INVALID_EOF_STATE'
      ? garbled
      : (kinds[code] ?? kindOfFamily(code));
  if (kind === undefined) return undefined;
  const problem = new Problem(kind.reason, `${origin} ${kind.says}${code === '' ? '' : ` (${code})`}.`, {
    hint: kind.hint,
    cause: error,
  });
  return kind.again ? { problem, base: CONNECTION_BASE } : { problem };
}

function kindOfFamily(code: string): Kind | undefined {
  if (code.startsWith('ERR_SSL_')) return kinds['EPROTO'];
  if (/CERT|ERR_TLS_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE/.test(code))
    return untrusted;
  return /^E[A-Z]+$/.test(code) ? noWay : undefined;
}
