import { Problem } from '../errors/problem.ts';
import type { Reason } from '../errors/catalog.ts';
import { connectionRetryBase, type Failure } from './retry.ts';

interface FailureKind {
  readonly reason: Reason;
  readonly text: string;
  /** A sentence, or the end of `addressHint` if the address of the server may be wrong. */
  readonly hint: string | { readonly check: string };
  readonly isRetryable: boolean;
}

export interface Connection {
  readonly proxy?: string | undefined;
  /** The setting that contains the address of the server, such as `DOCSCTL_SERVER` or `profile work`. */
  readonly from?: string | undefined;
}

/** Returns a hint to check the address of a server, which names the setting with the address. */
export function addressHint(from: string | undefined, check: string): string {
  if (from === undefined) return `Check the address${check}.`;
  if (from.startsWith('--')) return `Check the address of ${from}${check}.`;
  const [, profile] = /^profile (.+)$/.exec(from) ?? [];
  const source = profile === undefined ? from : `the profile "${profile}"`;
  return `The address of the server comes from ${source}. Check the address${check}.`;
}

function unreachable(text: string, hint: FailureKind['hint'], isRetryable = false): FailureKind {
  return { reason: 'unreachable', text, hint, isRetryable };
}

function timedOut(text: string, isRetryable = false): FailureKind {
  return { reason: 'timed-out', text, hint: 'Try again later.', isRetryable };
}

const check = { check: ', and make sure that the server is running' };
const noRoute = unreachable('cannot be reached over the network', check, true);
const broken = unreachable(
  'closed the connection before its answer was complete',
  'Try again. If the command changes something, check first whether it did.',
  true,
);
const garbled = unreachable('did not answer in HTTP', { check: ': another program may be using it' });
const noTls = unreachable(
  'does not accept TLS connections',
  'If the server uses plain HTTP, write its address with http:// instead of https://.',
);
/** Hints that are correct for every server, not only for the API. */
const generalHints = {
  certificate: 'Give the certificate of its authority with --ca-file.',
  name: 'Use an address with a name from the certificate.',
  dates: 'Check the clock of this machine. If it is right, the server needs a new certificate.',
  proxy: 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
};
const untrusted = unreachable('has a certificate that this machine does not trust', generalHints.certificate);
const noConnection = timedOut('did not accept the connection in time', true);

const kinds: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: unreachable('refused the connection', check, true),
  ENOTFOUND: unreachable('has an unknown host name', { check: ' for a typing error' }),
  EAI_AGAIN: noRoute,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  ETIMEDOUT: noConnection,
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  UND_ERR_HEADERS_TIMEOUT: timedOut('did not answer in time'),
  UND_ERR_BODY_TIMEOUT: timedOut('stopped in the middle of its answer'),
  UND_ERR_HEADERS_OVERFLOW: unreachable('sent too many headers', { check: '' }),
  ECONNRESET: broken,
  ECONNABORTED: broken,
  EPIPE: broken,
  UND_ERR_SOCKET: broken,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken,
  HPE_INVALID_EOF_STATE: broken,
  EPROTO: noTls,
  ERR_TLS_CERT_ALTNAME_INVALID: unreachable('has a certificate for another name', generalHints.name),
  CERT_HAS_EXPIRED: unreachable('has an expired certificate', generalHints.dates),
  CERT_NOT_YET_VALID: unreachable('has a certificate that is not valid yet', generalHints.dates),
};

/** Describes a connection error, and whether a retry may help. Returns undefined for an unknown error, which is a bug. */
export function describeConnectionFailure(
  origin: string,
  error: Error,
  { proxy, from }: Connection = {},
): Failure | undefined {
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
  const reached = `${origin}${via} ${kind.text}${namesOf(error)}${code === '' ? '' : ` (${code})`}.`;
  const problem = new Problem(kind.reason, reached, {
    hint:
      typeof kind.hint !== 'string'
        ? proxy === undefined
          ? addressHint(from, kind.hint.check)
          : generalHints.proxy
        : kind === broken && origin.startsWith('http:')
          ? `${kind.hint} If the server uses HTTPS, write its address with https://.`
          : kind.hint,
    cause: error,
  });
  return kind.isRetryable ? { problem, retryBase: connectionRetryBase } : { problem };
}

/** Returns the names in the certificate of an error about its name: `: localhost, 127.0.0.1`. */
function namesOf(error: Error & { readonly cert?: { readonly subjectaltname?: string } }): string {
  const names = error.cert?.subjectaltname?.replace(/(^|, )(?:DNS|IP Address):/g, '$1').slice(0, 200);
  return names === undefined || names === '' ? '' : `: ${names}`;
}

/** Whether a hint of `describeConnectionFailure` is also correct for a server that is not the API. */
export function isGeneralHint(hint: string | undefined): boolean {
  return Object.values(generalHints).some((known) => known === hint);
}

function kindByPrefix(code: string): FailureKind | undefined {
  if (code.startsWith('ERR_SSL_')) return noTls;
  if (/CERT|ERR_TLS_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE/.test(code))
    return untrusted;
  return /^E[A-Z]+$/.test(code) ? noRoute : undefined;
}
