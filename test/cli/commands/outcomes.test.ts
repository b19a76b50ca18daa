import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

/** Commands whose result is a change of this machine print it as data, too. */
describe('outcomes as data', () => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openGuideStore();
    await desk.done(['login', '--store', 'json:other.json', '--name', 'other']);
  });
  afterEach(() => desk.discard());

  it.each([
    [['config', 'set', 'org', 'Acme'], { id: 'org', value: 'Acme', place: 'profile "other"' }],
    [['config', 'unset', 'org'], { id: 'org', value: null }],
    [['profiles', 'use', 'other'], { id: 'other', current: true }],
    [['profiles', 'delete', 'other', '--yes'], { id: 'other', deleted: true }],
    [['login', '--store', 'json:a.json', '--name', 'a'], { profile: 'a', store: 'json:a.json' }],
    [['logout', '--profile', 'other'], { profile: 'other' }],
    [['spaces', 'pdf', 'Guide', '-O', 'guide.pdf'], { path: 'guide.pdf', bytes: expect.any(Number) }],
  ])('%j', async (words, outcome) => {
    expect(JSON.parse((await desk.done([...words, '-o', 'json'])).stdout)).toMatchObject(outcome);
  });

  it('says that nobody was signed in', async () => {
    const { stderr } = await desk.done(['logout', '--profile', 'other']);
    expect(stderr).toContain('Nobody was signed in: profile "other" has no token.');
  });

  it('says it in a note where no data is wanted', async () => {
    expect(await desk.done(['config', 'set', 'org', 'Acme'])).toMatchObject({ stdout: '' });
    expect(await desk.done(['spaces', 'pdf', 'Guide', '-O', 'guide.pdf'])).toMatchObject({ stdout: '' });
    expect(existsSync(desk.at('guide.pdf'))).toBe(true);
  });
});
