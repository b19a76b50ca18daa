import { Problem } from '../errors/problem.ts';
import type { Reason } from '../errors/catalog.ts';
import { connectionRetryBase, type Failure } from './retry.ts';

interface FailureKind {
  readonly reason: Reason;
  readonly text: string;
  readonly hint: string;
  readonly isRetryable: boolean;
}

function unreachable(text: string, hint: string, isRetryable = false): FailureKind {
  return { reason: 'unreachable', text, hint, isRetryable };
}

function timedOut(text: string, isRetryable = false): FailureKind {
  return { reason: 'timed-out', text, hint: 'Try again later.', isRetryable };
}

const check = 'Check the address of --server, and make sure that the server is running.';
const noRoute = unreachable('cannot be reached over the network', check, true);
const broken = unreachable(
  'closed the connection before its answer was complete',
  'Try again. If the command changes something, check first whether it did.',
  true,
);
const garbled = unreachable(
  'did not answer in HTTP',
  'Check the address of the server: `docsctl config explain`.',
);
const noTls = unreachable(
  'does not accept TLS connections',
  'Check whether the address of the server begins with http or https.',
);
/** Hints that are right for every server, not only for the one of the API. */
const generalHints = {
  certificate: 'Give the certificate of its authority with --ca-file.',
  proxy: 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
};
const untrusted = unreachable('has a certificate that this machine does not trust', generalHints.certificate);
const noConnection = timedOut('did not accept the connection in time', true);

const kinds: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: unreachable('refused the connection', check, true),
  ENOTFOUND: unreachable('has an unknown host name', 'Check --server for a typing error.'),
  EAI_AGAIN: noRoute,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  ETIMEDOUT: noConnection,
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  UND_ERR_HEADERS_TIMEOUT: timedOut('did not answer in time'),
  UND_ERR_BODY_TIMEOUT: timedOut('stopped in the middle of its answer'),
  UND_ERR_HEADERS_OVERFLOW: unreachable('sent too many headers', 'Check --server.'),
  ECONNRESET: broken,
  ECONNABORTED: broken,
  EPIPE: broken,
  UND_ERR_SOCKET: broken,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken,
  HPE_INVALID_EOF_STATE: broken,
  EPROTO: noTls,
};

/** Describes an error of the connection and whether a retry may help; undefined for an unknown error, which is a bug. */
export function describeConnectionFailure(origin: string, error: Error, proxy?: string): Failure | undefined {
  const refused = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (proxy !== undefined && refused !== undefined)
    return {
      problem: new Problem(
        'unreachable',
        `The proxy ${new URL(proxy).origin} refused the connection to ${origin} (status ${refused}).`,
        { hint: generalHints.proxy, cause: error },
      ),
    };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const kind =
    error.name === 'HTTPParserError' && code !== 'HPE_INVALID_EOF_STATE'
      ? garbled
      : (kinds[code] ?? kindByPrefix(code));
  if (kind === undefined) return undefined;
  const via = proxy === undefined ? '' : ` through the proxy ${new URL(proxy).origin}`;
  const reached = `${origin}${via} ${kind.text}${code === '' ? '' : ` (${code})`}.`;
  const problem = new Problem(kind.reason, reached, {
    hint: kind.hint,
    cause: error,
  });
  return kind.isRetryable ? { problem, retryBase: connectionRetryBase } : { problem };
}

/** Whether a hint of `describeConnectionFailure` is also right for a server that is not the API. */
export function isGeneralHint(hint: string | undefined): boolean {
  return Object.values(generalHints).some((known) => known === hint);
}

function kindByPrefix(code: string): FailureKind | undefined {
  if (code.startsWith('ERR_SSL_')) return noTls;
  if (/CERT|ERR_TLS_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE/.test(code))
    return untrusted;
  return /^E[A-Z]+$/.test(code) ? noRoute : undefined;
}
