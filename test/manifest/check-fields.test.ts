import { describe, expect, it } from 'vitest';
import { desiredFaults, desiredOf } from './desired.ts';

describe('two blocks with "default: true"', () => {
  it('are reported with both addresses if they are sections of one site', async () => {
    const text =
      'sites:\n  docs:\n    sections:\n      - { path: a, default: true }\n      - { path: b }\n      - { path: c, default: true }\n  other: { sections: [{ path: a, default: true }] }';
    expect(await desiredFaults(text)).toEqual([
      'org.yaml:7:29: section.docs/c has "default: true", and so has section.docs/a at org.yaml:5:29; only one may have it, so remove it from the other',
    ]);
  });

  it('are reported if they are site spaces of one section, but allowed in two sections', async () => {
    const spaces = (second: string) => `spaces: { a: {}, b: {} }\nsites:\n  docs:\n    sections:
      - { path: one, siteSpaces: [{ path: x, space: !ref space.a, default: true }, { path: y, space: !ref space.b${second} }] }
      - { path: two, siteSpaces: [{ path: x, space: !ref space.a, default: true }] }`;
    expect(await desiredFaults(spaces(', default: true'))).toEqual([
      'org.yaml:6:125: site-space.docs/one/y has "default: true", and so has site-space.docs/one/x at org.yaml:6:76; only one may have it, so remove it from the other',
    ]);
    expect((await desiredOf(spaces(''))).byAddress.has('site-space.docs/two/x')).toBe(true);
  });
});
