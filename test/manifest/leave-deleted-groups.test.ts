import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../cli/guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await apply(
    '{ developers: { title: Developers }, inner: { title: Inner, parent: developers } }',
    [
      '{ path: guide, title: Guide, space: !ref space.guide, default: true }',
      '{ path: api, title: API, space: !ref space.api, group: developers }',
      '{ path: ref, title: Ref, space: !ref space.ref, group: inner }',
    ],
    'group: Developers, after: api',
  );
});
afterEach(() => desk.discard());

const put = (groups: string, sections: readonly string[], place: string): void =>
  writeFileSync(
    desk.at('docsctl.yaml'),
    [
      'version: 1',
      'spaces: { guide: { title: Guide }, api: { title: API }, ref: { title: Ref } }',
      'sites:',
      '  docs:',
      '    title: Docs',
      `    groups: ${groups}`,
      '    sections:',
      ...sections.map((section) => `      - ${section}`),
      `    externalLinks: [{ title: Forum, url: "https://forum.example.com", ${place} }]`,
      '',
    ].join('\n'),
  );

/** Applies a manifest, and returns its stderr. */
async function apply(groups: string, sections: readonly string[], place: string): Promise<string> {
  put(groups, sections, place);
  return (await desk.done(['apply', '--prune', '--yes'])).stderr;
}
const plan = async (): Promise<string> =>
  (await desk.done(['plan', '--prune', '--detailed-exitcode'])).stdout;

it('apply moves sections out of deleted groups before it sorts, so that one apply is enough', async () => {
  const stderr = await apply(
    '{}',
    [
      '{ path: guide, title: Guide, space: !ref space.guide, default: true }',
      '{ path: api, title: API, space: !ref space.api }',
      '{ path: ref, title: Ref, space: !ref space.ref }',
    ],
    'after: api',
  );
  expect(stderr).toMatch(/→ section\.docs\/ref "Ref".*\n {4}group: "\w+" → null\n/);
  expect(stderr).not.toContain('value kept');
  expect(await plan()).toBe('No changes.\n');
});

it('apply moves sections into the group around the deleted one', async () => {
  const sections = [
    '{ path: guide, title: Guide, space: !ref space.guide, default: true }',
    '{ path: ref, title: Ref, space: !ref space.ref }',
    '{ path: api, title: API, space: !ref space.api, group: developers }',
  ];
  const stderr = await apply(
    '{ developers: { title: Developers } }',
    sections,
    'group: Developers, after: ref',
  );
  expect(stderr).toMatch(/group: "\w+" → !ref section-group\.docs\/developers\n/);
  expect(await plan()).toBe('No changes.\n');
});

it('apply moves a group out of a deleted group, and keeps the order of the file', async () => {
  await apply(
    '{ inner: { title: Inner } }',
    [
      '{ path: ref, title: Ref, space: !ref space.ref, group: inner }',
      '{ path: guide, title: Guide, space: !ref space.guide, default: true }',
      '{ path: api, title: API, space: !ref space.api }',
    ],
    'group: Inner, after: null',
  );
  expect(await plan()).toBe('No changes.\n');
});

it('apply leaves sections in a group that it does not delete', async () => {
  put('{}', ['{ path: ref, title: Reference, space: !ref space.ref }'], 'after: null');
  const { stderr } = await desk.done(['apply', '--prune', '--yes', '--only', 'section.docs/ref']);
  expect(stderr).toContain('title: "Ref" → "Reference"');
  expect(stderr).not.toContain('group:');
});
