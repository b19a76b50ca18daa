import { expect, it } from 'vitest';
import { redactSecrets, withoutCredentials } from '../../../src/cli/session/secret-texts.ts';

it.each([
  ['There is no token "dctl_0123456789abcdefghij-_".', 'There is no token "[redacted]".'],
  ['inv_cFCEPiTur_mQvAYqEIWLWcxV is gone', '[redacted] is gone'],
  ['https://ana:s3cret@git.test/a.git answered', 'https://[redacted]@git.test/a.git answered'],
  ['ssh://git:a@b@git.test:22/x', 'ssh://[redacted]@git.test:22/x'],
  ['https://ghp_s3cret@git.test/a.git', 'https://[redacted]@git.test/a.git'],
  ['at HTTPS://s3cret@git.test', 'at HTTPS://[redacted]@git.test'],
  ['//s3cret://a@b', '//s3cret://[redacted]@b'],
  [
    'see http://localhost:8080/o/~session?code=s3cret.',
    'see http://localhost:8080/o/~session?code=[redacted]',
  ],
  ['/a?page=2&X-Amz-Signature=s3cret&x=1', '/a?page=2&X-Amz-Signature=[redacted]&x=1'],
])('redactSecrets redacts the secret in %s', (text, shown) => {
  expect(redactSecrets(text)).toBe(shown);
});

it.each([
  'org_01M82ANDTNBDCC32QAA5STP2VN',
  'dctl_short and inv_1',
  'https://git.test:8080/ana@acme.test',
  'http://localhost:8080/v1?email=ana@acme.test',
  'ssh://git@git.test/a.git and postgres://docs@db.test/docs',
  '"https://git.test\\nana@acme.test"',
  'https://git.test?keys=2',
])('redactSecrets does not change %s', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

it('withoutCredentials redacts only the credentials of whole URLs', () => {
  expect(
    withoutCredentials({
      url: 'https://ghp_s3cret@git.test/a.git',
      list: ['https://ana:s3cret@git.test', 5, null],
      markdown: 'see https://ana@git.test',
      ref: 'main',
    }),
  ).toEqual({
    url: 'https://[redacted]@git.test/a.git',
    list: ['https://[redacted]@git.test', 5, null],
    markdown: 'see https://ana@git.test',
    ref: 'main',
  });
});
