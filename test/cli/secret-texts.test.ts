import { expect, it } from 'vitest';
import { redactSecrets } from '../../src/cli/secret-texts.ts';

it.each([
  ['There is no token "dctl_0123456789abcdefghij-_".', 'There is no token "[redacted]".'],
  ['inv_cFCEPiTur_mQvAYqEIWLWcxV is gone', '[redacted] is gone'],
  ['https://ana:s3cret@git.test/a.git answered', 'https://[redacted]@git.test/a.git answered'],
  ['ssh://git:a@b@git.test:22/x', 'ssh://[redacted]@git.test:22/x'],
])('hides the secret in %s', (text, shown) => {
  expect(redactSecrets(text)).toBe(shown);
});

it.each([
  'org_01M82ANDTNBDCC32QAA5STP2VN',
  'dctl_short and inv_1',
  'https://git.test:8080/ana@acme.test',
  'http://localhost:8080/v1?email=ana@acme.test',
])('leaves %s as it is', (text) => {
  expect(redactSecrets(text)).toBe(text);
});
