import { expect, it } from 'vitest';
import { addressOf, nameOf } from '../../src/manifest/address.ts';

it('addressOf percent-encodes spaces, slashes and percent signs in names', () => {
  const section = addressOf('section', 'site.docs', 'a b/100%');
  expect(section).toBe('section.docs/a%20b%2F100%25');
  expect(addressOf('site-space', section, 'über')).toBe('site-space.docs/a%20b%2F100%25/über');
  expect(nameOf(section)).toBe('docs/a%20b%2F100%25');
});
