import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteMoved, type Moved } from '../../../src/cli/results/moved-redirects.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

it('counts and lists the redirects that a change has created, and those that are missing', () => {
  const moved = (source: string, done: boolean): Moved => ({
    object: 'moved-redirect',
    site: { id: 'site_1', title: 'Docs' },
    action: 'create',
    source,
    captureWildcard: false,
    destination: { kind: 'site-page', siteSpaceId: 'sitesp_1', pageId: 'pag_1' },
    target: '/new',
    space: 'spc_1',
    pagePath: 'new',
    done,
  });
  const notesOf = (...redirects: Moved[]): string[] => {
    const notes: string[] = [];
    noteMoved({ note: (text) => void notes.push(text) } as Session, redirects);
    return notes;
  };
  expect(notesOf()).toEqual([]);
  expect(notesOf(moved('/old', true))).toEqual([
    'Changed 1 redirect of published sites:',
    '  Docs: /old → /new',
  ]);
  expect(notesOf(moved('/old', false))).toEqual([
    'warning: addresses of published sites changed. These redirects would keep the old ones working:',
    '  Docs: /old → /new',
    expect.stringMatching(/^hint: create the first one with `docsctl sites redirects create \/old .*`/),
  ]);
});

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

it('sites redirects upsert prints all results, and exits with 3 if one redirect was refused', async () => {
  await desk.done(['sites', 'create', 'Docs']);
  const redirects = [
    { source: '/none', destination: null },
    { source: '/old', destination: { kind: 'external', url: 'https://example.com' } },
  ];
  const send = (...sent: object[]) =>
    desk.run(['sites', 'redirects', 'upsert', 'Docs', '--redirects', JSON.stringify(sent), '-o', 'json']);
  const { exit, stdout, stderr } = await send(...redirects);
  expect(exit).toBe(3);
  expect(JSON.parse(stdout).results).toMatchObject([{ status: 'error' }, { status: 'created' }]);
  expect(stderr).toContain('1 of 2 redirects was refused.');
  expect(await send(redirects[1]!)).toMatchObject({ exit: 0, stderr: '' });
});
