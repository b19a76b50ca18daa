import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostnameFromTitle } from '../../../src/resources/organizations/hostname.ts';

it('hostnameFromTitle returns hostnames of the allowed form for any title', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 255 }), (title) => {
      const slug = hostnameFromTitle(title);
      expect(slug ?? 'org').toMatch(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/);
    }),
  );
});
