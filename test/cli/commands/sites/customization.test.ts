import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('the links of sites customization %s', (_, open) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
    await desk.done(['pages', 'create', 'Guide', 'Install', '--merge']);
    await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
  });
  afterEach(() => desk.discard());

  const json = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);
  const replace = (...links: object[]) => {
    const body = { header: { links: links.map((to) => ({ title: 'Link', to, links: [] })) } };
    writeFileSync(desk.at('look.json'), JSON.stringify(body));
    return desk.run(['sites', 'customization', 'replace', 'Docs', '--body', 'look.json']);
  };
  const headerOf = async () =>
    ((await json('sites', 'customization', 'get', 'Docs')) as { readonly header: { links: object[] } })
      .header;

  it('accept spaces by title and pages by path, or their IDs', async () => {
    const { id: space } = (await json('spaces', 'get', 'Guide')) as { readonly id: string };
    const { id: page } = (await json('spaces', 'pages', 'get', 'install', '--space', 'Guide')) as {
      readonly id: string;
    };
    const ran = await replace(
      { kind: 'page', space: 'guide', page: '/install' },
      { kind: 'page', space, page },
      { kind: 'space', space: 'Guide' },
      { kind: 'url', url: 'https://example.com/Guide' },
    );
    expect(ran.exit, ran.stderr).toBe(0);
    expect((await headerOf()).links).toMatchObject([
      { to: { kind: 'page', space, page } },
      { to: { kind: 'page', space, page } },
      { to: { kind: 'space', space } },
      { to: { kind: 'url', url: 'https://example.com/Guide' } },
    ]);
    const link = ['kind=page', 'space=Guide', 'page=install'].flatMap((pair) => [
      '--set',
      `header.primaryLink.${pair}`,
    ]);
    await desk.done(['sites', 'customization', 'override', 'guide', '--site', 'Docs', ...link]);
    expect(await json('sites', 'customization', 'get-space', 'guide', '--site', 'Docs')).toMatchObject({
      overrides: { header: { primaryLink: { kind: 'page', space, page } } },
    });
  });

  it('show files of spaces as images, by file name', async () => {
    mkdirSync(desk.at('images/.gitbook/assets'), { recursive: true });
    writeFileSync(desk.at('images/README.md'), '# Images\n');
    writeFileSync(desk.at('images/.gitbook/assets/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await desk.done(['spaces', 'create', '--title', 'Images']);
    await desk.done(['spaces', 'import', 'Images', 'images']);
    const set = (mode: string, file: string) =>
      ['kind=file', 'space=Images', `file=${file}`].flatMap((pair) => [
        '--set',
        `header.logo.${mode}.${pair}`,
      ]);
    const update = ['sites', 'customization', 'update', 'Docs'];
    await desk.done([...update, ...set('light', 'logo.svg'), ...set('dark', 'logo.svg')]);
    const { logo } = (await headerOf()) as unknown as { readonly logo: { readonly light: object } };
    expect(logo.light).toMatchObject({ kind: 'file', space: expect.any(String), file: expect.any(String) });
    await desk.done([...update, '--set', 'header.logo.dark=https://example.com/dark.svg']);
    expect(await headerOf()).toMatchObject({
      logo: { light: logo.light, dark: 'https://example.com/dark.svg' },
    });
    const missing = await desk.run([...update, ...set('light', 'logo.png')]);
    expect([missing.exit, missing.stderr]).toEqual([5, expect.stringContaining('no file "logo.png"')]);
  });

  it('are refused with the name of the space or page that does not exist', async () => {
    const noSpace = await replace({ kind: 'space', space: 'Guides' });
    expect([noSpace.exit, noSpace.stderr]).toEqual([5, expect.stringContaining('no space "Guides"')]);
    expect(noSpace.stderr).toContain('"Guide"');
    const noPage = await replace({ kind: 'page', space: 'Guide', page: 'instal' });
    expect([noPage.exit, noPage.stderr]).toEqual([5, expect.stringContaining('no page "instal"')]);
    expect((await headerOf()).links).toEqual([]);
  });
});
