import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { toManPage } from '../../.scripts/man-page.js';
import { pagesOf, toIndex, toMarkdown } from '../../.scripts/reference.js';
import { listCommands } from '../../src/cli/commands/commands.ts';
import { docsctl, runtimeOf } from '../support/cli.ts';
import packageJson from '../../package.json' with { type: 'json' };

const folder = fileURLToPath(new URL('../../docs/commands/', import.meta.url));
const { commands, nouns, globalOptions } = await listCommands(runtimeOf([], { home: '/nowhere' }).runtime);
const listing = { items: commands, nouns, globalOptions };
const pages = pagesOf(listing);

/** `npx vitest run test/docs -u` updates the pages. */
it.each([...pages])('docs/commands/%s.md describes the commands', async (name, page) => {
  await expect(toMarkdown(name, page)).toMatchFileSnapshot(`${folder}${name}.md`);
});

it('docs/commands/README.md lists the pages', async () => {
  await expect(toIndex(listing)).toMatchFileSnapshot(`${folder}README.md`);
});

it('docs/commands has no page of a command that does not exist', () => {
  expect(readdirSync(folder).sort()).toEqual([...pages.keys(), 'README'].map((name) => `${name}.md`).sort());
});

const topicOf = async (name: string) => (await docsctl(['help', name], { home: '/nowhere' })).stdout;
const topics = { environment: await topicOf('environment'), exitCodes: await topicOf('exit-codes') };
const manPage = (name: string) => toManPage(name, listing, { version: '1.2.3', topics });

it('package.json lists every man page, because npm links no folder of man pages', () => {
  const names = [...pages.keys()].map((name) => `docsctl-${name}`);
  expect(packageJson.man).toEqual(['docsctl', ...names].map((name) => `./dist/man/${name}.1`).sort());
});

it('man pages contain no lines that roff would read as requests', () => {
  for (const name of ['', ...pages.keys()]) {
    const page = manPage(name);
    expect(page).toMatch(/^\.TH DOCSCTL.* 1 "" "docsctl 1\.2\.3"/);
    expect(page).not.toMatch(/^\.(?!TH |SH |SS |PP$|TP$|nf$|fi$|nh$|ad l$|RS 4$|RE$)|^'/m);
    expect(page).not.toContain('`');
    expect(page).toMatch(/^\.SH DESCRIPTION\n\.PP\n\S/m);
  }
});

it('the man page of docsctl has the variables, files and exit codes', () => {
  const page = manPage('');
  const sections = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'OPTIONS', 'ENVIRONMENT', 'FILES', 'EXIT STATUS', 'EXAMPLES', 'SEE ALSO']); // prettier-ignore
  expect(page).toContain('.SH COMMANDS\n.SS Content\n.TP\n');
  expect(page).toContain('.TP\n\\fBspaces\\fR\nSpaces, which hold pages and files\n');
  expect(page).toContain(
    '\\fBDOCSCTL_SERVER\\fR\nserver, like \\-\\-server (if it is not set, GITBOOK_ENDPOINT is read)\n',
  );
  expect(page).toContain('\\fB130\\fR\nInterrupted.\n');
  expect(page).toContain('\\fB143\\fR\nStopped by SIGTERM.\n');
  expect(page).toContain('With \\fB\\-o json\\fR or');
});

it('man pages have the special exit codes of their commands, and keep the case of names', () => {
  const doctor = manPage('doctor');
  expect(doctor).toContain('.SH EXIT STATUS\n.TP\n\\fB69\\fR\nAt least one check failed.\n.SH EXAMPLES\n');
  expect(doctor).not.toContain('Interrupted');
  expect(manPage('openapi')).toContain('\\- OpenAPI specifications\n');
  expect(manPage('tokens')).toContain('\\- access tokens');
});
