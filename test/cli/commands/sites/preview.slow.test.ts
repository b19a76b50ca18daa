import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';
import { previewIn, type Browser } from './previewing.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', 'Docs']);
  await desk.publish(page('Welcome', 'Hello.'), page('Setup', 'Run it.'));
});
afterEach(() => desk.discard());

const previewing = (words: readonly string[], work: (browser: Browser) => Promise<void>): Promise<number> =>
  previewIn(desk, words, work);

const store = (): string => readFileSync(join(desk.home, 'store.json'), 'utf8');

/** Writes files into the folder docs. */
function write(files: Readonly<Record<string, string>>): void {
  mkdirSync(desk.at('docs'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(desk.at('docs', name), text);
}

it('sites preview shows a site that is not published, and changes nothing', async () => {
  const before = store();
  const exit = await previewing([], async ({ show }) => {
    expect((await show('/')).text).toContain('<p>Hello.</p>');
    expect((await show('/setup')).text).toContain('<title>Setup | Docs</title>');
    expect((await show('/nothing')).status).toBe(404);
    expect((await show('/~gitbook/search?q=run')).text).toContain('href="/setup');
  });
  expect(exit).toBe(0);
  expect(store()).toBe(before);
});

it('sites preview reloads an open page after a merge in the store', async () => {
  await previewing([], async ({ show, watch }) => {
    const reloaded = await watch('/setup');
    await desk.publish({
      operation: 'update_page',
      page: await desk.pageId('Setup'),
      document: { markdown: 'Run it twice.' },
    });
    await reloaded();
    expect((await show('/setup')).text).toContain('<p>Run it twice.</p>');
  });
});

it('sites preview --folder reloads after edits, and shows mistakes in files without stopping', async () => {
  write({ 'README.md': '# Welcome\n\nFrom the folder.\n', 'setup.md': '# Setup\n\nFrom the folder, too.\n' });
  const before = store();
  await previewing(['--folder', 'docs'], async ({ show, watch, notes }) => {
    expect((await show('/')).text).toContain('<p>From the folder.</p>');
    const edited = await watch('/setup');
    write({ 'setup.md': '# Setup\n\nEdited.\n' });
    await edited();
    expect((await show('/setup')).text).toContain('<p>Edited.</p>');
    const broken = await watch('/setup');
    write({ 'setup.md': '---\ntitle: [\n---\n# Setup\n\nStill here.\n' });
    await broken();
    const { text } = await show('/setup');
    expect(text).toMatch(/role="alert"><ul><li>setup\.md:\d+: /);
    expect(text).toContain('Still here.');
    expect(notes()).toContain('problem: setup.md:');
    const gone = await watch('/setup');
    rmSync(desk.at('docs'), { recursive: true });
    await gone();
    expect((await show('/setup')).text).toContain('There is no folder');
    const back = await watch('/setup');
    write({ 'README.md': '# Welcome\n\nBack.\n' });
    await back();
    expect((await show('/')).text).toContain('<p>Back.</p>');
    expect(notes()).toContain('All problems are solved.');
  });
  expect(store()).toBe(before);
});

it('sites preview --change-request shows the space after the merge, and reloads after edits', async () => {
  const number = await desk.request(page('News', 'Something new.'));
  // This page is merged after the change request was created, and the merge keeps it.
  await desk.publish(page('Elsewhere', 'From another change request.'));
  const before = store();
  await previewing(['--change-request', String(number)], async ({ show, watch }) => {
    expect((await show('/news')).text).toContain('<p>Something new.</p>');
    expect((await show('/elsewhere')).status).toBe(200);
    expect(store()).toBe(before);
    const reloaded = await watch('/');
    await desk.edit(number, page('More news', 'More.'));
    await reloaded();
    expect((await show('/more-news')).status).toBe(200);
  });
});

it('sites preview --change-request shows its own text and a warning if it has conflicts', async () => {
  const id = await desk.pageId('Setup');
  const edit = (markdown: string) =>
    ({ operation: 'update_page', page: id, document: { markdown } }) as const;
  const number = await desk.request(edit('Mine.'));
  await desk.publish(edit('Theirs.'));
  await previewing(['--change-request', String(number)], async ({ show }) => {
    const { text } = await show('/setup');
    expect(text).toContain('<p>Mine.</p>');
    expect(text).toMatch(/role="alert"><ul><li>[^<]*conflict/);
  });
});

it('sites preview --as-of shows an earlier revision', async () => {
  const { revision } = JSON.parse((await desk.done(['spaces', 'get', 'Guide', '-o', 'json'])).stdout);
  await desk.publish(page('News', 'Something new.'));
  await previewing(['--as-of', revision], async ({ show }) => {
    expect((await show('/setup')).status).toBe(200);
    expect((await show('/news')).status).toBe(404);
  });
});

it('sites preview --claims shows what a visitor with claims sees', async () => {
  const schema = { type: 'object', properties: { plan: { type: 'string', description: 'plan' } } };
  const closedSchema = JSON.stringify({ ...schema, additionalProperties: false });
  await desk.done(['sites', 'adaptive-schema', 'update', 'Docs', '--json-schema', closedSchema]);
  await desk.done(['sites', 'update', 'Docs', '--adaptive-content', '{"enabled":true}']);
  await desk.publish(page('Pro', 'For customers.', { condition: 'visitor.claims.plan == "pro"' }));
  await previewing([], async ({ show }) => expect((await show('/pro')).status).toBe(404));
  await previewing(['--claims', '{"plan":"pro"}'], async ({ show }) =>
    expect((await show('/pro')).status).toBe(200),
  );
});

it('sites preview --share-link shows a site at the address of a share link', async () => {
  await desk.done(['sites', 'update', 'Docs', '--visibility', 'share-link']);
  const link = await desk.done(['sites', 'share-links', 'create', 'Friends', '--site', 'Docs', '-o', 'json']);
  const key = new URL(JSON.parse(link.stdout).urls.published).pathname.split('/').at(-2) ?? '';
  await previewing(['--share-link', key], async ({ show }) => {
    expect((await show('')).text).toContain(`href="/${key}/setup"`);
    expect((await show('/setup')).status).toBe(404);
  });
});

it('sites preview refuses invalid and conflicting options', async () => {
  const refused = async (...words: string[]): Promise<readonly [number, string, string | undefined]> => {
    const ran = await desk.run(['sites', 'preview', ...words, '-o', 'json']);
    const { message, hint } = JSON.parse(ran.stderr).error;
    return [ran.exit, message, hint];
  };
  expect(await refused('Docs', '--folder', 'a', '--as-of', 'b')).toEqual([
    64,
    '--folder and --as-of cannot be used together.',
    'Use one of them. To see both, start two previews.',
  ]);
  expect((await refused('Docs', '--folder', 'missing'))[1]).toMatch(/^There is no folder .*missing/);
  expect((await refused('Docs', '--space', 'Guide'))[1]).toBe(
    '--space needs --folder, --change-request or --as-of.',
  );
  const [code, , hint] = await refused('Docs', '--change-request', '99');
  expect(code).toBe(5);
  expect(hint).toMatch(
    /^To see the change requests, run `docsctl change-requests list spc_\w+ --status all`\.$/,
  );
  expect((await refused('Docs', '--share-link', 'wrong'))[1]).toBe(
    'No active share link of the site has the key "wrong".',
  );
  expect((await refused('Docs', '--port', '70000'))[1]).toBe(
    '--port takes a whole number from 0 to 65535, not "70000".',
  );
  expect((await refused('Docs', '--claims', '[1]'))[0]).not.toBe(0);
  await desk.done(['spaces', 'create', '--title', 'Other']);
  expect(await refused('Docs', '--as-of', 'x', '--space', 'Other')).toEqual([
    5,
    'The site "Docs" does not show the space "Other".',
    'Spaces of the site: "Guide".',
  ]);
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  expect((await refused('Docs', '--port', String(port)))[1]).toBe(
    `Port ${port} of 127.0.0.1 is already in use.`,
  );
  await new Promise((resolve) => taken.close(resolve));
});

it('sites preview --as leaves out spaces that the member cannot read', async () => {
  await desk.done(['spaces', 'create', '--title', 'Secret']);
  await desk.done(['sites', 'site-spaces', 'add', 'Secret', '--site', 'Docs']);
  await desk.done(['members', 'invite', 'bo@acme.test', '--role', 'read']);
  await desk.done(['spaces', 'permissions', 'set', 'Secret', '--users', 'bo@acme.test', '--unset', 'role']);
  await previewing(['--as', 'bo@acme.test'], async ({ show }) => {
    expect((await show('/')).status).toBe(200);
    expect((await show('/secret')).status).toBe(404);
    await desk.done(['spaces', 'permissions', 'set', 'Guide', '--users', 'bo@acme.test', '--unset', 'role']);
    expect((await show('/setup')).status).toBe(404);
  });
});

it('sites preview --manifest shows the organization after an apply, and reloads after edits', async () => {
  write({ 'README.md': '# Welcome\n\nFrom the manifest.\n' });
  const manifest = (title: string) => `
version: 1
spaces:
  guide: { title: Guide, content: { dir: docs } }
sites:
  help:
    title: ${title}
    siteSpaces:
      - { space: !ref space.guide, path: guide }
`;
  writeFileSync(desk.at('docsctl.yaml'), manifest('Help'));
  const before = store();
  const words = ['sites', 'preview', 'Help', '-o', 'json', '--manifest', 'docsctl.yaml'];
  await previewing(words, async ({ show, watch, notes }) => {
    expect((await show('/')).text).toContain('<title>Welcome | Help</title>');
    expect((await show('/')).text).toContain('<p>From the manifest.</p>');
    const edited = await watch('/');
    write({ 'README.md': '# Welcome\n\nEdited.\n' });
    await edited();
    expect((await show('/')).text).toContain('<p>Edited.</p>');
    const renamed = await watch('/');
    writeFileSync(desk.at('docsctl.yaml'), manifest('Handbook'));
    await renamed();
    expect((await show('/')).text).toContain('<title>Welcome | Handbook</title>');
    const broken = await watch('/');
    writeFileSync(desk.at('docsctl.yaml'), 'version: 1\nsites: [\n');
    await broken();
    expect((await show('/')).text).toContain('role="alert"');
    expect(notes()).toContain('problem: ');
  });
  expect(store()).toBe(before);
  expect(existsSync(desk.at('docsctl.state.json'))).toBe(false);
  writeFileSync(desk.at('docsctl.yaml'), manifest('Help'));
  const refused = await desk.run([...words.slice(0, 2), 'Nothing', ...words.slice(3)]);
  expect(JSON.parse(refused.stderr).error.message).toBe(
    'There is no site "Nothing", and the manifest does not create it.',
  );
});

it('sites preview --manifest finds the site by title, basename, ID or setting, or if it is the only one', async () => {
  writeFileSync(
    desk.at('docsctl.yaml'),
    'version: 1\nsites: { help: { title: Help Center, basename: faq } }\n',
  );
  const docs = JSON.parse((await desk.done(['sites', 'get', 'Docs', '-o', 'json'])).stdout);
  const titleOf = async (words: readonly string[], more: GuideStore = desk): Promise<string | undefined> => {
    let title: string | undefined;
    await previewIn(
      more,
      ['sites', 'preview', ...words, '-o', 'json', '--manifest', 'docsctl.yaml'],
      async ({ show }) => {
        title = /<title>(?:.* \| )?(.*)<\/title>/.exec((await show('/')).text)?.[1];
      },
    );
    return title;
  };
  const withSite = (site: string): GuideStore => ({
    ...desk,
    options: { ...desk.options, env: { ...desk.options.env, DOCSCTL_SITE: site } },
  });
  expect(await titleOf(['help center'])).toBe('Help Center');
  expect(await titleOf(['FAQ'])).toBe('Help Center');
  expect(await titleOf([docs.id])).toBe('Docs');
  expect(await titleOf([], withSite('faq'))).toBe('Help Center');
  const refused = await desk.run(['sites', 'preview', '--manifest', 'docsctl.yaml', '-o', 'json']);
  const { message, hint } = JSON.parse(refused.stderr).error;
  expect(message).toBe('There is more than one site once the manifest is applied.');
  expect(hint).toMatch(/^Name one by its ID: site_\w+ \(Docs\), site_\w+ \(Help Center\)\.$/);
  await desk.done(['sites', 'delete', 'Docs', '--yes']);
  expect(await titleOf([])).toBe('Help Center');
});
