import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

describe.each([
  ['a store', openGuideStore],
  ['a server', openGuideServer],
])('docsctl api on %s', (_name, open) => {
  beforeEach(async () => {
    desk = await open();
  });
  const titles = async () =>
    JSON.parse((await desk.done(['spaces', 'list', '--all', '-o', 'json'])).stdout).items.map(
      ({ title }: { title: string }) => title,
    );
  const idOf = async (title: string): Promise<string> =>
    JSON.parse((await desk.done(['spaces', 'list', '--all', '-o', 'json'])).stdout).items.find(
      (space: { title: string }) => space.title === title,
    ).id;

  it('sends nothing with --dry-run, but reads as always', async () => {
    const path = `/spaces/${await idOf('Guide')}`;
    const dry = await desk.done(['api', 'PATCH', path, '--body', '-', '--dry-run', '-o', 'json'], {
      input: '{"title":"Other"}',
    });
    expect(JSON.parse(dry.stdout)).toEqual({ method: 'PATCH', path: `/v1${path}`, body: { title: 'Other' } });
    expect(dry.stderr).toBe('Dry run: nothing was sent.\n');
    expect((await desk.done(['api', 'delete', path, '--dry-run'])).stderr).toBe(
      'Dry run: nothing was sent.\n',
    );
    expect(await titles()).toContain('Guide');
    expect(
      JSON.parse((await desk.done(['api', 'GET', path, '--dry-run', '-o', 'json'])).stdout),
    ).toMatchObject({ title: 'Guide' });
  });

  it('takes paths with and without the version, and deletes only when told to', async () => {
    const id = await idOf('Guide');
    for (const path of [`/v1/spaces/${id}`, `v1/spaces/${id}`, `spaces/${id}`, `/spaces/${id}`])
      expect(JSON.parse((await desk.done(['api', 'get', path, '-o', 'json'])).stdout)).toMatchObject({ id });
    expect(await desk.run(['api', 'DELETE', `/spaces/${id}`])).toMatchObject({ exit: 9 });
    expect(await titles()).toContain('Guide');
    await desk.done(['api', 'DELETE', `/spaces/${id}`, '--yes']);
    expect(await titles()).not.toContain('Guide');
  });

  it.each([
    ['/../..', 'contains "." or ".."'],
    ['/orgs/%2E%2e/x', 'contains "." or ".."'],
    ['/orgs/./x', 'contains "." or ".."'],
    ['/orgs x', 'a character that a URL cannot contain'],
    ['/orgs\\..\\x', 'a character that a URL cannot contain'],
    ['/é', 'a character that a URL cannot contain'],
    ['/orgs#x', 'a character that a URL cannot contain'],
  ])('sends no request for the path %s', async (path, text) => {
    for (const method of ['GET', 'DELETE']) {
      const { exit, stdout, stderr } = await desk.run(['api', method, path, '--yes', '--trace']);
      expect([exit, stdout, stderr]).toEqual([64, '', expect.stringMatching(/^error: The path .*\nhint: /)]);
      expect(stderr).toContain(text);
    }
  });

  it('tells what it cannot send', async () => {
    expect(await desk.run(['api', 'GET'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('api needs a method and a path.'),
    });
    expect(await desk.run(['api', '/orgs', 'GET'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('"/orgs" is not an HTTP method.'),
    });
    expect(await desk.run(['api', 'GET', '/nowhere'])).toMatchObject({ exit: 5 });
    expect(await desk.run(['api', 'GET', '/orgs', '--out', 'x.json'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--out is only for answers that are files.'),
    });
  });
});
