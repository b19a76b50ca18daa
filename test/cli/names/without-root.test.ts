import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

describe.each([
  ['a store', openGuideStore],
  ['a server', openGuideServer],
])('paths of files in a repository, on %s', (_name, open) => {
  beforeEach(async () => {
    desk = await open();
    mkdirSync(desk.at('repo/docs/setup'), { recursive: true });
    writeFileSync(desk.at('repo/.gitbook.yaml'), 'root: ./docs/\n');
    writeFileSync(desk.at('repo/docs/README.md'), '# Home\n');
    writeFileSync(desk.at('repo/docs/setup/install.md'), '# Install\n\n[gone](gone.md)\n');
    await desk.done(['spaces', 'import', 'Guide', 'repo']);
  });

  it('name pages as links and warnings do, with the folder of the documentation', async () => {
    const { stdout } = await desk.done(['spaces', 'links', 'Guide', '--columns', 'place', '--no-headers']);
    expect(stdout).toBe('docs/setup/install.md:3\n');
    for (const name of ['docs/setup/install.md', 'setup/install.md', 'setup/install'])
      expect((await desk.done(['pages', 'show', 'Guide', name])).stdout).toContain('# Install');
    expect((await desk.done(['pages', 'show', 'Guide', 'docs/README.md'])).stdout).toContain('# Home');
  });

  it('name no pages if they are in another folder or do not exist', async () => {
    for (const name of [
      'other/setup/install.md',
      'other/README.md',
      'docs/setup/nope.md',
      '/docs/setup/install',
      'docs/setup/install',
    ])
      expect(await desk.run(['pages', 'show', 'Guide', name])).toMatchObject({
        exit: 5,
        stderr: expect.stringContaining(`There is no page "${name}".`),
      });
  });
});
