import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pagesOf, toIndex, toManPage, toMarkdown } from '../../.scripts/reference.js';
import { listCommands } from '../../src/cli/commands/commands.ts';
import { runtimeOf } from '../support/cli.ts';

const folder = fileURLToPath(new URL('../../docs/commands/', import.meta.url));
const { commands, nouns, globalOptions } = await listCommands(runtimeOf([], { home: '/nowhere' }).runtime);
const listing = { items: commands, nouns, globalOptions };
const pages = pagesOf(listing);

/** `npx vitest run test/docs -u` writes the pages anew. */
it.each([...pages])('docs/commands/%s.md describes the commands', async (name, page) => {
  await expect(toMarkdown(name, page)).toMatchFileSnapshot(`${folder}${name}.md`);
});

it('docs/commands/README.md lists the pages', async () => {
  await expect(toIndex(listing)).toMatchFileSnapshot(`${folder}README.md`);
});

it('has no page of a command that does not exist', () => {
  expect(readdirSync(folder).sort()).toEqual([...pages.keys(), 'README'].map((name) => `${name}.md`).sort());
});

it('makes man pages without lines that roff takes for requests', () => {
  for (const name of ['', ...pages.keys()]) {
    const page = toManPage(name, listing, '1.2.3');
    expect(page).toMatch(/^\.TH DOCSCTL.* 1 "" "docsctl 1\.2\.3"/);
    expect(page).not.toMatch(/^\.(?!TH |SH |SS |PP$|TP$|nf$|fi$)|^'/m);
  }
});
