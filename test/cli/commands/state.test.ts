import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;

const put = (path: string, text: string): void => {
  mkdirSync(dirname(desk.at(path)), { recursive: true });
  writeFileSync(desk.at(path), text);
};
/** Output without IDs and paths, which differ from run to run. */
const plain = (text: string) =>
  text.replaceAll(/\b[a-z]+_[0-9A-Z]{26}\b/g, 'ID').replaceAll(desk.home, 'HOME');
const lock = () =>
  JSON.parse(readFileSync(desk.at('docsctl.state.json'), 'utf8')).sections[0] as {
    serial: number;
    key: string;
    resources: Record<string, { id: string; fields: object; protect?: true }>;
  };
const idOf = (address: string): string => lock().resources[address]!.id;

const manifest = `version: 1
collections:
  top: { title: Top }
spaces:
  book: { title: Book, parent: !ref collection.top }
  safe: { title: Safe, protect: true }
sites:
  docs: { title: Docs, sections: [{ path: guide, title: Guide, space: !ref space.book }] }
`;

beforeEach(async () => {
  desk = await openGuideStore();
  put('docsctl.yaml', manifest);
  await desk.done(['apply', '-y']);
});
afterEach(() => desk.discard());

describe('the option --limit of local lists', () => {
  it('shows the first entries of a list, even a sorted one, and the total', async () => {
    const list = (...words: string[]) =>
      desk.done(['state', 'list', '--columns', 'ref', '--no-headers', ...words]);
    const all = (await list()).stdout.trimEnd().split('\n');
    const first = await list('--limit', '2');
    expect(first).toMatchObject({
      stdout: `${all.slice(0, 2).join('\n')}\n`,
      stderr: `Showing 2 of ${all.length}. --limit shows more.\n`,
    });
    expect((await list('--limit', '2', '--sort-by=-ref')).stdout).toBe(
      `${all.toReversed().slice(0, 2).join('\n')}\n`,
    );
    expect((await list('--limit', '99')).stderr).toBe('');
    expect((await desk.run(['state', 'list', '--limit', '0'])).exit).toBe(8);
  });

  it('shows the newest runs and the first settings', async () => {
    put('docsctl.yaml', manifest.replace('Book,', 'Book 2,'));
    await desk.done(['apply', '-y']);
    const ids = (await desk.done(['runs', 'list', '-o', 'id'])).stdout.trim().split('\n');
    expect(ids).toHaveLength(2);
    const newest = await desk.done(['runs', 'list', '-o', 'id', '--limit', '1']);
    expect(newest.stdout).toBe(`${ids[0]}\n`);
    const settings = await desk.done(['config', 'list', '-o', 'json', '--limit', '1']);
    expect(JSON.parse(settings.stdout).items).toHaveLength(1);
    expect(settings.stderr).toMatch(/^Showing 1 of \d+\. --limit shows more\.\n$/);
  });
});

describe('docsctl drift', () => {
  it('requires a state file', async () => {
    rmSync(desk.at('docsctl.state.json'));
    expect(await desk.run(['drift', '-f', 'docsctl.yaml'])).toMatchObject({
      exit: 5,
      stdout: '',
      stderr: expect.stringContaining('There is no state file beside docsctl.yaml.'),
    });
  });

  it('finds nothing after an apply, and needs no manifest', async () => {
    rmSync(desk.at('docsctl.yaml'));
    expect(await desk.run(['drift', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No drift: 6 resources unchanged since the last apply, in the fields that the manifest sets.\n',
      stderr: expect.stringMatching(/^Organization "Acme" [^\n]*\n$/),
    });
    mkdirSync(desk.at('docsctl'));
    for (const name of ['docsctl.state.json']) put(`docsctl/${name}`, readFileSync(desk.at(name), 'utf8'));
    rmSync(desk.at('docsctl.state.json'));
    expect(JSON.parse((await desk.done(['drift', '-o', 'json'])).stdout)).toMatchObject({
      lock: { path: 'docsctl/docsctl.state.json' },
      counts: { same: 6 },
    });
  });

  it('lists changed and deleted resources, and exits with 2 with --detailed-exitcode', async () => {
    await desk.done(['spaces', 'update', idOf('space.book'), '--title', 'Book 2']);
    await desk.done(['spaces', 'move', idOf('space.book'), '--unset', 'parent']);
    await desk.done(['sites', 'delete', idOf('site.docs'), '-y']);
    const ran = await desk.run(['drift', '--detailed-exitcode']);
    expect(ran).toMatchObject({ exit: 2, stderr: expect.stringMatching(/^Organization "Acme" [^\n]*\n$/) });
    expect(plain(ran.stdout)).toMatchInlineSnapshot(`
      "~ space.book "Book 2" (ID)
          title: "Book" → "Book 2"
          parent: !ref collection.top → null
      - site.docs "Docs" (ID) was deleted, with 2 inside it

      Drift: 1 changed, 1 deleted (and 2 inside it); 2 resources unchanged.
      To keep a change, put it into the manifest. \`docsctl apply\` undoes the others; \`docsctl plan\` shows how.
      "
    `);
    const shown = await desk.done(['drift'], { tty: true });
    expect(plain(shown.stdout)).toContain(
      'To keep a change, put it into the manifest. `docsctl apply` undoes the others; `docsctl plan` shows\n  how.\n',
    );
    expect((await desk.done(['drift', '-o', 'csv', '--columns', 'status,ref,fields'])).stdout).toBe(
      'status,ref,fields\r\nchanged,space.book,title parent\r\ngone,site.docs,\r\ngone,section.docs/guide,\r\ngone,site-space.docs/guide/space,\r\n',
    );
    expect((await desk.done(['drift', '-o', 'json', '--query', 'counts.gone'])).stdout).toBe('3\n');
    expect(plain((await desk.done(['drift', '-o', 'markdown'])).stdout)).toMatchInlineSnapshot(`
      "### docsctl drift

      1 changed, 1 deleted (and 2 inside it); 2 resources unchanged.

      Organization \`ID\` on \`json:HOME/store.json\`.

      <details open><summary>Deleted (1)</summary>

      \`\`\`diff
      - site.docs "Docs" (ID) was deleted, with 2 inside it
      \`\`\`

      </details>

      <details open><summary>Changed (1)</summary>

      \`\`\`diff
      ! space.book "Book 2" (ID)
      -     title: "Book"
      +     title: "Book 2"
      -     parent: !ref collection.top
      +     parent: null
      \`\`\`

      </details>

      To keep a change, put it into the manifest. \\\`docsctl apply\\\` undoes the others; \\\`docsctl plan\\\` shows how.
      "
    `);
  });

  it('notes that content was not compared', async () => {
    put('content/page.md', '# Page\n');
    put('docsctl.yaml', manifest.replace('title: Safe,', 'title: Safe, content: { dir: content },'));
    await desk.done(['apply', '-y']);
    expect((await desk.done(['drift'])).stdout).toBe(
      'No drift: 6 resources unchanged since the last apply, in the fields that the manifest sets.\nThe content of 1 space was not compared. Use `docsctl plan` to compare it.\n',
    );
  });

  it('reports an unknown state file or organization, and requires --org for several organizations', async () => {
    const at = async (...words: string[]) => desk.run(['drift', ...words]);
    expect(await at('--lock', 'none.json')).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no state file none.json.'),
    });
    expect(await desk.run(['drift'], { env: { DOCSCTL_STORE: 'memory:' } })).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('no organization yet'),
    });
    const other = JSON.parse(
      (await desk.done(['orgs', 'create', '--title', 'Other', '--email', 'bo@acme.test', '-o', 'json']))
        .stdout,
    ).organization.id as string;
    expect(await at('--org', other)).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining(`has no entries for organization ${other}`),
    });
    // The state file has one organization, so this one is used, although the store has two.
    expect((await at()).exit).toBe(0);
    const file = JSON.parse(readFileSync(desk.at('docsctl.state.json'), 'utf8'));
    put(
      'docsctl.state.json',
      JSON.stringify({ ...file, sections: [...file.sections, { ...file.sections[0], organization: other }] }),
    );
    expect(await at()).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining(`is for 2 organizations.`),
    });
    expect(await at('--org', 'Acme')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('No drift: 6'),
    });
    expect(await at('--org', 'Other')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('4 deleted (and 2 inside them)'),
    });
    put('docsctl.state.json', '{');
    expect(await at()).toMatchObject({ exit: 8, stderr: expect.stringContaining('docsctl state rebuild') });
  });
});

describe('docsctl lock list', () => {
  it('lists owned resources with their fields, but without values', async () => {
    const { stdout } = await desk.done(['lock', 'list']);
    expect(plain(stdout)).toBe(
      `ref\tkind\tid\tprotect\n${[
        'collection.top',
        'section.docs/guide',
        'site-space.docs/guide/space',
        'site.docs',
        'space.book',
        'space.safe',
      ]
        .map((ref) => `${ref}\t${ref.split('.')[0]}\tID\t${ref === 'space.safe'}\n`)
        .join('')}`,
    );
    const { items, count } = JSON.parse((await desk.done(['lock', 'list', '-o', 'json'])).stdout);
    expect(count).toBe(6);
    expect(items[4]).toEqual({
      ref: 'space.book',
      kind: 'space',
      id: idOf('space.book'),
      parent: null,
      protect: false,
      fields: ['parent', 'title'],
    });
    expect((await desk.done(['lock', 'list', '-o', 'id'])).stdout).toContain('space.safe\n');
  });
});

describe('docsctl forget and adopt', () => {
  it('remove resources from the state file and add them again, without changes to the organization', async () => {
    const before = lock();
    const asked = await desk.run(['forget', 'space.book']);
    expect(asked).toMatchObject({
      exit: 9,
      stdout: '',
      stderr: expect.stringContaining(
        'Confirmation is required to forget the resource space.book, but there is no terminal to ask on.',
      ),
    });
    expect(plain((await desk.done(['forget', 'site.docs', '--dry-run'])).stdout)).toBe(
      'ref\tkind\tid\nsite.docs\tsite\tID\nsection.docs/guide\tsection\tID\nsite-space.docs/guide/space\tsite-space\tID\n',
    );
    expect(lock()).toEqual(before);
    const ran = await desk.run(['forget', '-', '-y'], { input: 'space.book\nsite.docs\n' });
    expect(ran).toMatchObject({
      exit: 0,
      stderr: '4 resources forgotten. Nothing in the organization was changed.\n',
    });
    expect(Object.keys(lock().resources)).toEqual(['collection.top', 'space.safe']);
    expect(lock().serial).toBe(before.serial + 1);
    expect(await desk.run(['adopt', 'section.docs/guide', 'guide'])).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('hint: Run `docsctl adopt site.docs ID` first.'),
    });
    const dry = await desk.run(['adopt', 'site.docs', 'docs', '--dry-run']);
    expect(dry).toMatchObject({ exit: 0, stderr: 'Dry run: the state file was not written.\n' });
    expect(plain(dry.stdout)).toBe('= site.docs "Docs" (ID)\n');
    expect(lock().resources['site.docs']).toBeUndefined();
    const adopted = await desk.run(['adopt', 'site.docs', 'docs', '-o', 'json']);
    expect(adopted).toMatchObject({ exit: 0, stderr: 'Adopted. Nothing in the organization was changed.\n' });
    expect(JSON.parse(adopted.stdout)).toEqual({
      ref: 'site.docs',
      kind: 'site',
      id: before.resources['site.docs']!.id,
      name: 'Docs',
      parent: null,
      protect: false,
      was: null,
    });
    for (const [ref, given] of [['section.docs/guide', 'Guide'], ['site-space.docs/guide/space', 'Book'], ['space.book', 'Book']] as const) await desk.done(['adopt', ref, given]); // prettier-ignore
    expect(await desk.run(['adopt', 'space.book', 'Book'])).toMatchObject({
      exit: 0,
      stderr: 'The state file already has it.\n',
    });
    expect(await desk.run(['plan', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\n',
    });
    await desk.done(['apply', '-y']);
    expect(lock().resources).toEqual(before.resources);
  });

  it('suggest similar addresses, and refuse protected resources without --force', async () => {
    expect(await desk.run(['forget', 'space.bok', '-y'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('Did you mean space.book?'),
    });
    expect(await desk.run(['adopt', 'space.bok', 'Book'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('Did you mean space.book?'),
    });
    expect(await desk.run(['adopt', 'space.book', 'Nothing'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('No space is called "Nothing".'),
    });
    expect(await desk.run(['adopt', 'space.book', idOf('space.safe')])).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining(
        'already belongs to space.safe.\nhint: Run `docsctl forget space.safe`',
      ),
    });
    expect(await desk.run(['forget', 'space.safe', '-y'])).toMatchObject({
      exit: 9,
      stdout: '',
      stderr: expect.stringContaining('space.safe is protected.'),
    });
    expect((await desk.run(['forget', 'space.safe', '-y', '--force'])).exit).toBe(0);
    await desk.done(['adopt', 'space.safe', 'Safe']);
    expect(lock().resources['space.safe']).toMatchObject({ protect: true, fields: {} });
  });

  it('make saved plans outdated', async () => {
    put('docsctl.yaml', manifest.replace('title: Book', 'title: Books'));
    for (const words of [
      ['forget', 'space.safe', '--force', '-y'],
      ['adopt', 'space.safe', 'Safe'],
      ['lock', 'rebuild', '-y'],
    ]) {
      await desk.done(['plan', '--out', 'plan.json']);
      await desk.done(words);
      expect(await desk.run(['apply', 'plan.json', '-y'])).toMatchObject({ exit: 6, stdout: '' });
    }
  });
});

describe('docsctl lock rebuild', () => {
  it('restores the resources of a lost state file', async () => {
    const before = lock();
    rmSync(desk.at('docsctl.state.json'));
    const asked = await desk.run(['lock', 'rebuild']);
    expect(asked).toMatchObject({
      exit: 9,
      stdout: '',
      stderr: expect.stringMatching(/Confirmation is required.*6 resources owned/),
    });
    expect(await desk.run(['lock', 'rebuild', '--dry-run'])).toMatchObject({
      exit: 0,
      stderr: 'Dry run: the state file was not written.\n',
    });
    expect(existsSync(desk.at('docsctl.state.json'))).toBe(false);
    const ran = await desk.run(['lock', 'rebuild', '-y']);
    expect(ran).toMatchObject({
      exit: 0,
      stderr: '6 resources owned. Nothing in the organization was changed.\n',
    });
    expect(plain(ran.stdout).split('\n').slice(0, 3)).toEqual([
      'status\tref\tid\twas\tdiffers',
      'owned\tcollection.top\tID\t-\t',
      'owned\tspace.book\tID\t-\t',
    ]);
    expect(lock().resources).toEqual(before.resources);
    const { serial } = lock();
    expect(await desk.run(['lock', 'rebuild'])).toMatchObject({
      exit: 0,
      stderr:
        '6 resources owned; the state file was already right. Nothing in the organization was changed.\n',
    });
    expect(lock().serial).toBe(serial);
    expect(await desk.run(['lock', 'rebuild', '--dry-run'])).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: 'The state file is already right. Nothing would change.\n',
    });
  });

  it('lists fields that differ, missing resources, and resources that are no longer owned', async () => {
    await desk.done(['spaces', 'update', idOf('space.book'), '--title', 'By hand']);
    put(
      'docsctl.yaml',
      manifest
        .replace('  top: { title: Top }', '  new: { title: New }')
        .replace(', parent: !ref collection.top', ''),
    );
    const ran = await desk.run(['lock', 'rebuild', '-y', '-o', 'json']);
    expect(plain(ran.stderr)).toBe(
      'No longer owned: collection.top (ID).\n5 resources owned, 1 would be created, 1 forgotten. Nothing in the organization was changed.\n',
    );
    const rows = (JSON.parse(ran.stdout).items as { status: string; ref: string; differs: string[] }[]).map(
      ({ status, ref, differs }) => [status, ref, ...differs],
    );
    expect(rows.slice(0, 3)).toEqual([
      ['missing', 'collection.new'],
      ['owned', 'space.book', 'title'],
      ['owned', 'space.safe'],
    ]);
    expect(rows.at(-1)).toEqual(['forgotten', 'collection.top']);
  });

  it('keeps a copy of a damaged state file, and keeps its key after a merge conflict', async () => {
    const before = lock();
    const text = readFileSync(desk.at('docsctl.state.json'), 'utf8');
    const line = /^"space\.book": .*$/m.exec(text)![0];
    const merged = text.replace(line, `<<<<<<< HEAD\n${line}\n=======\n${line}\n>>>>>>> other`);
    put('docsctl.state.json', merged);
    expect(await desk.run(['plan'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('contains a merge conflict'),
    });
    const ran = await desk.run(['lock', 'rebuild', '-y']);
    expect(ran.exit).toBe(0);
    expect(plain(ran.stderr)).toMatchInlineSnapshot(`
      "The state file HOME/work/docsctl.state.json contains a merge conflict.
      Both sides of the merge conflict were read.
      The damaged state file was copied to docsctl.state.json.bak. Compare the new file with it.
      6 resources owned. Nothing in the organization was changed.
      "
    `);
    expect(lock()).toEqual({ ...before, serial: before.serial + 1 });
    expect(readFileSync(desk.at('docsctl.state.json.bak'), 'utf8')).toBe(merged);
    put('docsctl.state.json', 'not at all');
    expect((await desk.run(['lock', 'rebuild', '-y'])).stderr).toContain(
      'The damaged state file was copied to docsctl.state.json.bak.2. Compare the new file with it.\n',
    );
    expect(lock().resources).toEqual(before.resources);
    expect(lock().key).not.toBe(before.key);
  });

  it('refuses a title that several resources have', async () => {
    const twin = JSON.parse((await desk.done(['spaces', 'create', '--title', 'Safe', '-o', 'json'])).stdout)
      .id as string;
    const { resources } = lock();
    rmSync(desk.at('docsctl.state.json'));
    const ran = await desk.run(['lock', 'rebuild', '-y']);
    expect(ran).toMatchObject({
      exit: 8,
      stdout: '',
      stderr: expect.stringContaining('space.safe matches'),
    });
    expect(ran.stderr).not.toContain('docsctl adopt');
    expect(ran.stderr).toContain(twin);
    expect(ran.stderr).toContain(resources['space.safe']!.id);
  });
});
