import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

const put = (path: string, text: string): void => {
  mkdirSync(dirname(desk.at(path)), { recursive: true });
  writeFileSync(desk.at(path), text);
};
const manifest = (more = '') => `version: 1
spaces: { manual: { title: Manual, content: { dir: docs } } }
sites:
  docs:
    title: Docs
    published: true
    sections: [{ path: first, title: First, space: !ref space.manual }, { path: manual, title: Manual, space: !ref space.manual }]
${more}`;
const json = async (...words: string[]) => JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);
const sources = async () => {
  const { items } = await json('sites', 'redirects', 'list', 'Docs', '--order-by', 'source');
  return items.map(({ source }: { source: string }) => source);
};
const inShort = (redirects: readonly { source: string; target?: string; done: boolean }[]) =>
  redirects.map(({ source, target = '', done }) => `${source} ${target}${done ? '' : ' ?'}`).sort();

/** Applies a manifest with two sections that show one folder, and renames a file of the folder. */
async function prepare(more = '') {
  put('docs/README.md', '# Welcome\n\nHello.\n');
  put('docs/install.md', '# Install\n\nRun the installer.\n');
  put('docsctl.yaml', manifest(more));
  await desk.done(['apply', '--yes']);
  rmSync(desk.at('docs/install.md'));
  put('docs/setup.md', '# Install\n\nRun the installer.\n');
}

describe.each([
  ['a store', openGuideStore],
  ['a server', openGuideServer],
] as const)('docsctl apply and plan on %s', (_, open) => {
  it('apply --redirects creates redirects for moved pages, and plan shows them', async () => {
    desk = await open();
    await prepare();
    const planned = await json('plan');
    expect(inShort(planned.redirects)).toEqual(['/install /setup ?', '/manual/install /manual/setup ?']);
    expect((await desk.done(['plan'])).stdout).toContain('  Docs: /install → /setup\n');
    expect((await desk.done(['plan', '-o', 'markdown'])).stdout).toContain('#### Redirects');
    const applied = await json('apply', '--yes', '--redirects');
    expect(inShort(applied.redirects)).toEqual(['/install /setup', '/manual/install /manual/setup']);
    expect(await sources()).toEqual(['/install', '/manual/install']);
    expect((await json('plan')).redirects).toEqual([]);
    expect(inShort((await json('apply', '--yes', '--redirects')).redirects)).toEqual([]);
    expect((await json('sites', 'redirects', 'resolve', '/manual/install', '--site', 'Docs')).target).toMatch(
      /\/manual\/setup$/,
    );
  });

  it.each([
    ['manual', ['/manual /', '/manual/* /'], '/manual/install', '/install'],
    // The other section then becomes the default.
    ['first', ['/manual /', '/manual/* /'], '/manual/install', '/install'],
  ] as const)(
    'apply --redirects creates redirects for the deleted section %s, and plan shows them',
    async (name, expected, from, to) => {
      desk = await open();
      await prepare();
      rmSync(desk.at('docs/setup.md'));
      put('docs/install.md', '# Install\n\nRun the installer.\n');
      const section = new RegExp(`\\{ path: ${name}, .*?manual \\}(?:, )?`);
      put('docsctl.yaml', manifest().replace(section, ''));
      const planned = await json('plan', '--prune');
      expect(inShort(planned.redirects)).toEqual(expected.map((one) => `${one} ?`));
      expect((await desk.done(['plan', '--prune'])).stdout).toContain(
        'with --redirects keeps them working with 2 redirects',
      );
      const applied = await json('apply', '--yes', '--prune', '--redirects');
      expect(inShort(applied.redirects)).toEqual(expected);
      const { target } = await json('sites', 'redirects', 'resolve', from, '--site', 'Docs');
      expect(new URL(target).pathname.replace(/^\/sites\/[^/]+\/[^/]+/, '')).toBe(to);
      expect((await json('plan', '--prune')).redirects).toEqual([]);
    },
  );

  it('apply without --redirects prints the missing redirects of deleted sections', async () => {
    desk = await open();
    await prepare();
    rmSync(desk.at('docs/setup.md'));
    put('docs/install.md', '# Install\n\nRun the installer.\n');
    put('docsctl.yaml', manifest().replace(/, \{ path: manual, .*\}\]/, ']'));
    const { stderr } = await desk.done(['apply', '--yes', '--prune']);
    expect(stderr).toContain('Docs: /manual/* → /');
    expect(await sources()).toEqual([]);
  });

  it('apply only prints redirects without --redirects, or if the manifest lists all redirects', async () => {
    desk = await open();
    const stated = '    redirects: [{ source: /old, url: "https://example.com/" }]\n';
    await prepare(stated);
    const planned = (await desk.done(['plan'])).stdout;
    expect(planned).toContain(
      'Addresses of published sites will change, and the manifest states all redirects of these sites. To keep the addresses working, add 2 redirects to `redirects:`:\n  Docs: /install → /setup\n',
    );
    expect(planned).not.toContain('--redirects');
    const comment = (await desk.done(['plan', '-o', 'markdown'])).stdout;
    expect(comment).toContain('add 2 redirects to `redirects:`');
    expect(comment).not.toContain('--redirects');
    const ran = await desk.done(['apply', '--yes', '--redirects']);
    expect(ran.stderr).toContain(
      'Add 2 redirects to `redirects:`, and apply again:\n  Docs: /install → /setup',
    );
    expect(await sources()).toEqual(['/old']);
    expect((await json('plan')).counts).toMatchObject({ delete: 0, update: 0 });
    rmSync(desk.at('docs/setup.md'));
    put('docs/start.md', '# Install\n\nRun the installer.\n');
    expect((await desk.done(['apply', '--yes'])).stderr).toContain('Docs: /setup → /start');
  });
});

it('creates no redirects from the temporary paths of new sections and site spaces', async () => {
  desk = await openGuideStore();
  const sections = '{ path: first, title: Reference, space: !ref space.one }';
  const other =
    '{ path: other, title: First, siteSpaces: [{ path: a, space: !ref space.two, default: true }, { path: b, space: !ref space.one }] }';
  const write = (list: string) =>
    put(
      'docsctl.yaml',
      `version: 1\nspaces: { one: { title: One }, two: { title: Two } }\nsites:\n  docs: { title: Docs, published: true, sections: [${list}] }\n`,
    );
  write(sections);
  await desk.done(['apply', '--yes']);
  write(
    `{ path: start, title: Welcome, default: true, space: !ref space.two }, ${other}, ${sections.replace('path: first', 'path: first, icon: book')}`,
  );
  const { redirects } = await json('apply', '--yes', '--redirects');
  expect(inShort(redirects)).toEqual([]);
  expect(await sources()).toEqual([]);
  // A section with a published path still gets its redirects.
  write(
    `{ path: begin, title: Welcome, default: true, space: !ref space.two }, ${other.replace('path: b,', 'path: c,')}, ${sections}`,
  );
  await desk.done(['apply', '--yes', '--redirects', '--prune']);
  expect(await sources()).toContain('/other/b');
});
