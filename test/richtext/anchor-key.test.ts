import { expect, it } from 'vitest';
import { anchorKey } from '../../src/richtext/anchor-key.ts';
import { anchorSlug } from '../../src/richtext/scan-sections.ts';

it.each([
  ['Release 4.5', 'release-4.5'],
  ['1. Create a custom backend', 'id-1.-create-a-custom-backend'],
  ['26.2.5. Streaming replication', '26-2-5-streaming-replication'],
  ['Get all followers of ENS domain(s)', 'get-all-followers-of-ens-domain-s'],
  ['Tips & tricks', 'tips-and-tricks'],
  ['Terms and conditions', 'terms-and-conditions'],
  ['Set syntax…', 'set-syntax...'],
  ['streamToBytes', 'streamToBytes'],
  ['安裝 PostgreSQL', '安裝-postgresql'],
  ['Caf\u{e9}', 'cafe\u{301}'],
])('gives the anchors that other tools make of the heading "%s" the same key', (heading, anchor) => {
  expect(anchorKey(anchor)).toBe(anchorKey(anchorSlug(heading)));
});

it.each([
  ['setup', 'set-up-2'],
  ['release-45', 'release-4-6'],
  ['and', 'or'],
  ['-', '--'],
])('gives "%s" and "%s" different keys', (one, other) => {
  expect(anchorKey(one)).not.toBe(anchorKey(other));
});
