import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore } from '../guide-store.ts';

const manifest = (section: string, spaces = '') => `version: 1
spaces:
  guide: { title: Guide, content: { dir: guide } }
${spaces}sites:
  docs:
    title: Docs
    visibility: public
    published: true
    sections:
      - { path: guide, title: Guide, space: !ref space.guide, default: true }
${section === '' ? '' : `      - { path: ${section}, title: API, space: !ref space.api }\n`}`;
const apiSpace = '  api: { title: API, content: { dir: api } }\n';

describe.each([
  ['a store', openGuideStore],
  ['a server', openGuideServer],
] as const)('broken links in a plan on %s', (_, open) => {
  let desk: Awaited<ReturnType<typeof open>>;
  let address: string;
  beforeEach(async () => {
    desk = await open();
    const write = (name: string, text: string) => writeFileSync(desk.at(...name.split('/')), text);
    for (const folder of ['guide', 'api']) mkdirSync(desk.at(folder));
    write('guide/start.md', '# Start\n\n[install](install.md#linux)\n');
    write('guide/install.md', '# Install\n\n## Linux\n');
    write('api/calls.md', '# Calls\n');
    write('docsctl.yaml', manifest('api', apiSpace));
    await desk.done(['apply', '-y']);
    const [site] = JSON.parse((await desk.done(['sites', 'list', '-o', 'json'])).stdout).items;
    address = site.urls.published;
    write('guide/more.md', `[calls](${address}api/calls)\n`);
    await desk.done(['apply', '-y']);
  });
  afterEach(() => desk.discard());

  it('are listed below the plan, in Markdown and as JSON', async () => {
    expect(JSON.parse((await desk.done(['plan', '-o', 'json'])).stdout).brokenLinks).toEqual([]);
    rmSync(desk.at('guide', 'install.md'));
    writeFileSync(desk.at('docsctl.yaml'), manifest('reference', apiSpace));
    const { stdout } = await desk.run(['plan', '--prune']);
    expect(stdout.slice(stdout.indexOf('2 links'))).toBe(
      `2 links would break.\n` +
        `  Guide: more.md:1  ${address}api/calls\n    The page "Calls" is no longer published at this address.\n` +
        '  Guide: start.md:3  install.md#linux\n    The page "Install" is deleted.\n',
    );
    const markdown = (await desk.run(['plan', '--prune', '-o', 'markdown'])).stdout;
    expect(markdown).toContain(
      '\n#### Links\n\n2 links would break.\n\n| place | link | reason |\n| --- | --- | --- |\n',
    );
    expect(markdown).toContain(
      '| `Guide: start.md:3` | `install.md#linux` | The page "Install" is deleted. |\n',
    );
    const { brokenLinks } = JSON.parse((await desk.run(['plan', '--prune', '-o', 'json'])).stdout);
    expect(brokenLinks.map(({ reason }: { reason: string }) => reason)).toEqual([
      'target-moved',
      'target-deleted',
    ]);
  });

  it('include links to a space that would be deleted', async () => {
    writeFileSync(desk.at('docsctl.yaml'), manifest(''));
    const { brokenLinks } = JSON.parse((await desk.run(['plan', '--prune', '-o', 'json'])).stdout);
    expect(brokenLinks).toMatchObject([
      {
        source: { file: 'more.md' },
        line: 1,
        reason: 'target-deleted',
        message: 'The space "API" is deleted.',
      },
    ]);
    expect((await desk.run(['apply', '--prune', '--dry-run'])).stdout).toContain('1 link would break.');
  });

  describe('and broken redirects', () => {
    const stated = (...redirects: string[]) =>
      `${manifest('')}    redirects:\n${redirects.map((one) => `      - { ${one} }\n`).join('')}`;
    const write = (text: string) => writeFileSync(desk.at('docsctl.yaml'), text);
    const redirect = (source: string, ...to: string[]) =>
      desk.done(['sites', 'redirects', 'create', source, '--site', 'Docs', ...to]);
    const planned = async (...words: string[]) => (await desk.run(['plan', '--prune', ...words])).stdout;
    const brokenIn = async (text: string): Promise<string[]> => {
      write(text);
      const { brokenRedirects } = JSON.parse(await planned('-o', 'json'));
      return brokenRedirects.map(({ source }: { source: string }) => source);
    };

    beforeEach(async () => {
      await redirect('/ref', '--section', 'api');
      await redirect('/guides', '--section', 'guide');
    });

    it('are listed in the plan, in Markdown, as JSON and after the apply', async () => {
      write(manifest(''));
      const listed = 'Docs: /ref (the section "API" is deleted)';
      expect(await planned()).toContain(`1 redirect would lead nowhere:\n  ${listed}\n`);
      expect(await planned('-o', 'markdown')).toContain(
        `\n#### Redirects that would lead nowhere\n\n\`\`\`text\n${listed}\n\`\`\`\n`,
      );
      expect(JSON.parse(await planned('-o', 'json')).brokenRedirects).toMatchObject([
        { source: '/ref', site: { title: 'Docs' }, destination: { kind: 'site-section' } },
      ]);
      expect((await desk.done(['plan'])).stdout).not.toContain('nowhere');
      const { stdout, stderr } = await desk.done(['apply', '--prune', '--yes', '-o', 'json']);
      expect(stderr).toContain(`warning: 1 redirect leads nowhere now. Change or delete it:\n  ${listed}\n`);
      expect(JSON.parse(stdout).brokenRedirects).toMatchObject([{ source: '/ref' }]);
      expect(await planned()).not.toContain('nowhere');
    });

    it('include redirects of the manifest, but not redirects that it deletes or changes', async () => {
      expect(await brokenIn(stated('source: /guides, section: guide'))).toEqual([]);
      expect(await brokenIn(stated('source: /ref, section: api', 'source: /guides, section: guide'))).toEqual(
        ['/ref'],
      );
      expect(await brokenIn(stated('source: /ref, url: "https://example.com"'))).toEqual([]);
      expect(await brokenIn(stated('source: /other, section: api', 'source: /new, section: guide'))).toEqual([
        '/other',
      ]);
      const kept = manifest('').replace('sites:', `${apiSpace}sites:`);
      const lost = `${kept}    redirects:\n      - { source: /calls, space: !ref space.api, path: calls }\n`;
      const more = '  more: { title: More, siteSpaces: [{ path: api, space: !ref space.api }] }\n';
      for (const text of [lost, lost + more]) {
        write(text);
        expect(await planned()).toContain('  Docs: /calls (the site no longer shows the space "API")\n');
      }
    });

    it('do not include redirects that the apply changes after it has taken their space off the site', async () => {
      const site = (spaces: string, to: string) =>
        `${manifest('api', apiSpace)}  more:\n    title: More\n    published: true\n    siteSpaces:\n      - { path: guide, space: !ref space.guide }\n` +
        `${spaces}    redirects:\n      - { source: /old, space: !ref space.${to} }\n`;
      write(site('      - { path: api, space: !ref space.api }\n', 'api'));
      await desk.done(['apply', '-y']);
      for (const file of ['api/calls.md', 'guide/start.md'])
        writeFileSync(desk.at(...file.split('/')), '# New\n');
      write(site('', 'guide'));
      const { stdout, stderr } = await desk.done(['apply', '--prune', '-y', '-o', 'json']);
      expect([stderr, stdout]).toEqual([
        expect.not.stringContaining('nowhere'),
        expect.not.stringContaining('"/old"'),
      ]);
    });

    it('do not include redirects whose page stays on the site at another address', async () => {
      const link = '    redirects:\n      - { source: /calls, space: !ref space.api, path: calls }\n';
      writeFileSync(desk.at('api', 'more.md'), '# More\n');
      write(manifest('api', apiSpace) + link);
      await desk.done(['apply', '-y']);
      expect(await brokenIn(manifest('calls', apiSpace) + link)).toEqual([]);
      await desk.done(['apply', '--prune', '-y']);
      expect(await planned()).not.toContain('nowhere');
      const other = manifest('other', apiSpace).replace(
        '      - { path: other',
        `      - { path: calls, title: API, space: !ref space.api }\n      - { path: other`,
      );
      write(other + link);
      await desk.done(['apply', '--prune', '-y']);
      expect(await brokenIn(manifest('other', apiSpace) + link)).toEqual([]);
      rmSync(desk.at('api', 'calls.md'));
      expect(await brokenIn(other + link)).toEqual(['/calls']);
      writeFileSync(desk.at('api', 'calls.md'), '# Calls\n');
      expect(await brokenIn(`${manifest('').replace('sites:', `${apiSpace}sites:`)}${link}`)).toEqual([
        '/calls',
      ]);
    });
  });
});
