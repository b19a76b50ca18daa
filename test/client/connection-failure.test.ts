import { expect, it } from 'vitest';
import { describeConnectionFailure } from '../../src/client/connection-failure.ts';

const origin = 'https://docs.example.com';
const failed = (code: string) =>
  describeConnectionFailure(origin, Object.assign(new Error('raw words'), { code }));

it.each([
  ['ECONNREFUSED', 'unreachable', true],
  ['EAI_AGAIN', 'unreachable', true],
  ['ENOTFOUND', 'unreachable', false],
  ['EHOSTDOWN', 'unreachable', true],
  ['ECONNRESET', 'unreachable', true],
  ['UND_ERR_CONNECT_TIMEOUT', 'timed-out', true],
  ['UND_ERR_HEADERS_TIMEOUT', 'timed-out', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unreachable', false],
  ['CERT_HAS_EXPIRED', 'unreachable', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable', false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unreachable', false],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'unreachable', false],
])('%s is %s, and the request is retried: %s', (code, reason, again) => {
  const failure = failed(code);
  expect(failure?.problem).toMatchObject({ reason, exitCode: 69, hint: expect.stringMatching(/\.$/) });
  expect(failure?.problem.message).toMatch(new RegExp(`^${origin} .* \\(${code}\\)\\.$`));
  expect(failure?.retryBase).toBe(again ? 50 : undefined);
});

it('a certificate error is distinguished from a broken TLS exchange', () => {
  expect(failed('DEPTH_ZERO_SELF_SIGNED_CERT')?.problem.hint).toContain('--ca-file');
  expect(failed('ERR_SSL_WRONG_VERSION_NUMBER')?.problem.message).toContain('does not accept TLS');
});

it('no --ca-file is suggested for a trusted certificate with another name, or that has expired', () => {
  const error = Object.assign(new Error('raw words'), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    cert: { subjectaltname: 'DNS:docs.example.org, IP Address:127.0.0.1' },
  });
  expect(describeConnectionFailure(origin, error)?.problem).toMatchObject({
    message: `${origin} has a certificate for another name: docs.example.org, 127.0.0.1 (ERR_TLS_CERT_ALTNAME_INVALID).`,
    hint: 'Use an address with a name from the certificate.',
  });
  for (const code of ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])
    expect(failed(code)?.problem.hint).not.toContain('--ca-file');
});

it('the hint says https:// if a server with HTTPS closes a connection without TLS', () => {
  const plain = new URL(origin.replace('https', 'http')).origin;
  const hintOf = (server: string) =>
    describeConnectionFailure(server, Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' }))?.problem
      .hint;
  expect(hintOf(plain)).toContain('write its address with https://');
  expect(hintOf(origin)).not.toContain('https://');
});

it('a response that is not HTTP is distinguished from one that ended too early', () => {
  const parsed = (code: string) =>
    describeConnectionFailure(
      origin,
      Object.assign(new Error('Parse error'), { name: 'HTTPParserError', code }),
    );
  const garbled = parsed('HPE_INVALID_CONSTANT');
  const early = parsed('HPE_INVALID_EOF_STATE');
  expect(early?.problem.message).not.toBe(garbled?.problem.message);
  expect([garbled?.retryBase, early?.retryBase]).toEqual([undefined, 50]);
});

it('bugs of docsctl are not described as connection failures', () => {
  expect(failed('UND_ERR_INVALID_ARG')).toBeUndefined();
  expect(describeConnectionFailure(origin, new TypeError('x is not a function'))).toBeUndefined();
});

it('the message names the proxy that was used or that refused the connection', () => {
  const proxy = 'http://name:word@proxy.example.com:3128/x';
  const through = (message: string, code?: string) =>
    describeConnectionFailure(origin, Object.assign(new Error(message), { code }), { proxy })?.problem;
  expect(through('', 'ECONNRESET')?.message).toBe(
    `${origin} through the proxy http://proxy.example.com:3128 closed the connection before its answer was complete (ECONNRESET).`,
  );
  expect(failed('ECONNRESET')?.problem.message).toBe(
    `${origin} closed the connection before its answer was complete (ECONNRESET).`,
  );
  expect(through('Proxy response (407) !== 200 when HTTP Tunneling')).toMatchObject({
    message: `The proxy http://proxy.example.com:3128 refused the connection to ${origin} (status 407).`,
    hint: 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
  });
  expect(describeConnectionFailure(origin, new Error('Proxy response (407)'))).toBeUndefined();
});

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH'])(
  'the hint is to check the proxy if there is one, to which the connection was made: %s',
  (code) => {
    const error = Object.assign(new Error('raw words'), { code });
    const connection = { proxy: 'http://proxy.example.com:3128', from: '--server' };
    expect(describeConnectionFailure(origin, error, connection)?.problem.hint).toBe(
      'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
    );
  },
);

it.each([
  [undefined, 'Check the address, and make sure that the server is running.'],
  ['--server', 'Check the address of --server, and make sure that the server is running.'],
  [
    'DOCSCTL_SERVER',
    'The address of the server comes from DOCSCTL_SERVER. Check the address, and make sure that the server is running.',
  ],
  [
    'profile work',
    'The address of the server comes from the profile "work". Check the address, and make sure that the server is running.',
  ],
])('the hint names the setting of an address that may be wrong: %s', (from, hint) => {
  const error = Object.assign(new Error('raw words'), { code: 'ECONNREFUSED' });
  expect(describeConnectionFailure(origin, error, { from })?.problem.hint).toBe(hint);
});
