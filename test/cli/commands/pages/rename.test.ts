import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
  const number = await desk.request(page('Quickstart', 'Begin.'), page('Install', 'Download.'));
  await desk.done(['cr', 'merge', String(number), '--space', 'Guide']);
});
afterAll(() => desk.discard());

const pages = async (): Promise<string[]> =>
  JSON.parse((await desk.done(['pages', 'list', '--space', 'Guide', '-o', 'json'])).stdout).pages.map(
    ({ title, slug }: { title: string; slug: string }) => `${title} ${slug}`,
  );

describe('docsctl pages rename', () => {
  it('changes the title, the slug or both, with the space as an option or first argument', async () => {
    await desk.done(['pages', 'rename', 'Guide', 'quickstart', 'First steps', '--merge']);
    expect(await pages()).toEqual(['First steps quickstart', 'Install install']);
    await desk.done(['pages', 'rename', 'quickstart', 'Start', '--space', 'Guide', '--merge']);
    await desk.done(['pages', 'rename', 'Guide', 'install', '--slug', 'setup', '--merge']);
    expect(await pages()).toEqual(['Start quickstart', 'Install setup']);
    await desk.done([
      'pages',
      'rename',
      'setup',
      'Set up',
      '--slug',
      'set-up',
      '--space',
      'Guide',
      '--merge',
    ]);
    expect(await pages()).toEqual(['Start quickstart', 'Set up set-up']);
  });

  it('changes the first heading if it was the title, and no other heading', async () => {
    await desk.publish(page('Tour', '\n# Tour {#tour}\n\n# Tour\n'), page('Notes', '# Other\n'));
    const renamed = async (path: string, title: string): Promise<string> => {
      await desk.done(['pages', 'rename', 'Guide', path, title, '--merge']);
      return (await desk.done(['pages', 'show', 'Guide', path])).stdout;
    };
    expect(await renamed('tour', 'Round $& trip')).toBe('\n# Round $& trip {#tour}\n\n# Tour\n');
    expect(await renamed('notes', 'Remarks')).toBe('# Other\n');
    const { stdout } = await desk.done(['pages', 'rename', 'Guide', 'tour', '--slug', 'trip', '--dry-run']);
    expect(stdout).not.toContain('Round');
    await desk.done(['pages', 'delete', 'Guide', 'tour', 'notes', '--merge', '--yes']);
  });

  it('and all other page commands refuse a generated page', async () => {
    const paths = '{ /carts: { get: { tags: [Carts], responses: { default: { description: Ok } } } } }';
    writeFileSync(
      desk.at('shop.yaml'),
      `openapi: 3.0.3\ninfo: { title: Shop, version: "1" }\npaths: ${paths}\n`,
    );
    await desk.done(['openapi', 'publish', 'shop.yaml']);
    await desk.publish({
      operation: 'insert_page',
      type: 'computed',
      title: 'API',
      document: {},
      computed: {
        type: 'builtin:openapi',
        props: { models: true, grouping: 'by-tag' },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } },
      },
    });
    for (const words of [
      ['rename', 'Guide', 'carts', 'Baskets'],
      ['move', 'Guide', 'carts', '--top'],
      ['copy', 'Guide', 'carts', '--top'],
      ['delete', 'Guide', 'carts'],
      ['create', 'Guide', 'Notes', '--under', 'carts'],
      ['edit', 'Guide', 'carts', '--file', 'shop.yaml'],
    ]) {
      const { exit, stderr } = await desk.run(['pages', ...words]);
      expect([exit, stderr], words.join(' ')).toEqual([
        8,
        expect.stringMatching(/^error: "[cC]arts" is a generated page and cannot be changed\.\n/),
      ]);
    }
    const source = (await desk.done(['pages', 'list', 'Guide', '-o', 'id'])).stdout.trim().split('\n').at(-1);
    await desk.done(['pages', 'delete', 'Guide', source ?? '', '--merge', '--yes']);
  });

  it.each([
    [['quickstart', 'First', 'steps', '--space', 'Guide'], 'Too many arguments: "steps".'],
    [['Guide', 'quickstart'], 'No new title is given.'],
    [['quickstart', '--space', 'Guide'], 'No new title is given.'],
  ])('refuses %j', async (words, message) => {
    const before = await pages();
    const { exit, stderr } = await desk.run(['pages', 'rename', ...words]);
    expect([exit, stderr]).toEqual([64, expect.stringContaining(message)]);
    expect(stderr).toContain('`docsctl pages rename Guide quickstart "First steps"`');
    expect(await pages()).toEqual(before);
  });
});

describe('a page edit that fails or changes nothing', () => {
  /** Returns the number of change requests of the space with a status. */
  const requests = async (status: string): Promise<number> =>
    JSON.parse((await desk.done(['cr', 'list', '--space', 'Guide', '--status', status, '-o', 'json'])).stdout)
      .items.length;

  it('archives the change request that it created', async () => {
    const [open, archived] = [await requests('open'), await requests('archived')];
    const words = ['pages', 'rename', '--space', 'Guide', 'quickstart'];
    const failed = await desk.run([...words, 'x'.repeat(1000)]);
    expect(failed.exit).toBe(8);
    expect([await requests('open'), await requests('archived')]).toEqual([open, archived + 1]);
    await desk.done([...words, 'Start']);
    expect([await requests('open'), await requests('archived')]).toEqual([open, archived + 2]);
  });

  it('does not change a given change request', async () => {
    const number = String(await desk.request(page('More', 'Text.')));
    const open = await requests('open');
    const words = ['pages', 'rename', '--space', 'Guide', '--change-request', number, 'quickstart'];
    expect((await desk.run([...words, 'x'.repeat(1000)])).exit).toBe(8);
    await desk.done([...words, 'Start']);
    expect(await requests('open')).toBe(open);
  });
});

it('pages rename and pages delete with --merge create redirects only with --redirects', async () => {
  const published = await openGuideStore();
  try {
    const number = await published.request(
      page('First', 'One.'),
      page('Install', 'Two.'),
      page('Use', 'Three.'),
    );
    await published.done(['cr', 'merge', String(number), '--space', 'Guide']);
    await published.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
    await published.done(['sites', 'publish', 'Docs']);
    const redirects = async (): Promise<string[]> =>
      JSON.parse(
        (await published.done(['sites', 'redirects', 'list', 'Docs', '-o', 'json'])).stdout,
      ).items.map(({ source }: { source: string }) => source);
    const rename = (path: string, slug: string, ...more: string[]) =>
      published.done(['pages', 'rename', '--space', 'Guide', path, '--slug', slug, '--merge', ...more]);
    await rename('install', 'setup');
    expect(await redirects()).toEqual([]);
    await rename('use', 'using', '--redirects');
    expect(await redirects()).toEqual(['/use']);
    // The deletion moves no page, but it merges the change request, which moves one.
    const { stderr } = await published.done([
      'pages',
      'rename',
      '--space',
      'Guide',
      'using',
      '--slug',
      'usage',
    ]);
    const [, own = ''] = /change request (\d+)/.exec(stderr) ?? [];
    const request = ['--change-request', own, '--merge', '--redirects', '--yes'];
    await published.done(['pages', 'delete', '--space', 'Guide', 'setup', ...request]);
    expect((await redirects()).toSorted()).toEqual(['/use', '/using']);
  } finally {
    await published.discard();
  }
});
