import { expect, it } from 'vitest';
import { redactSecrets } from '../../src/redaction/redact-secrets.ts';

it.each([
  ['/a?jwt_token=x.y&page=2', '/a?jwt_token=[secret]&page=2'],
  ['Cookie: a=b; c=d', 'Cookie: [secret]'],
  ['{"Authorization":"Basic YTpi"}', '{"Authorization":"[secret]"}'],
  ["secret: 'abc' and more", "secret: '[secret]' and more"],
  ['redirect to /saml?code=abc#x', 'redirect to /saml?code=[secret]#x'],
  ['exit code: 1, key: value', 'exit code: 1, key: value'],
  ['https://ana:pw@host/x', 'https://[secret]@host/x'],
])('replaces secrets in %s', (text, expected) => {
  expect(redactSecrets(text)).toBe(expected);
});

it.each([
  'The token is not valid: it is mistyped, deleted or expired.',
  'Error: ENOENT: no such file or directory, open /data/docs.db',
  '    at answer (/app/dist/server.js:12:34)',
  'req_01M841SDQV6BTX9T34HV619Z0C-1 of org_01M841SDD62RJZFF202G01V2KP',
])('does not change %s', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

it('takes time linear in the length of a text', () => {
  const long = '?token'.repeat(20_000) + 'cookie'.repeat(20_000) + '; secret'.repeat(20_000);
  expect(redactSecrets(long)).toBe(long);
});
