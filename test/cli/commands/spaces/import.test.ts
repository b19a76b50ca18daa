import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { unlistedMessage } from '../../../../src/content-sync/read-folder.ts';
import { filesOf, newFolder } from '../../../content-sync/folder-support.ts';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';
import { describeWarnings } from '../../../../src/cli/commands/spaces/import-warnings.ts';

let desk: GuideStore;
let dir: string;
beforeEach(async () => {
  desk = await openGuideStore();
  dir = newFolder({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
});
afterEach(async () => {
  await desk.discard();
  rmSync(dir, { recursive: true, force: true });
});
const imported = (...more: string[]) => desk.run(['spaces', 'import', 'Guide', dir, ...more]);
const none = { merged: false, pages: 0, texts: 0, files: 0, deletedFiles: 0, warnings: 2 };

it('spaces import suggests the right order if space and folder were swapped', async () => {
  const swapped = await desk.run(['spaces', 'import', dir, 'Guide']);
  expect(swapped.exit).toBe(64);
  expect(swapped.stderr).toContain(`hint: Did you mean \`docsctl spaces import Guide ${dir}\`?`);
  const unknown = await desk.run(['spaces', 'import', 'Gide', dir]);
  expect(unknown.exit).toBe(5);
  expect(unknown.stderr).toContain('There is no space "Gide".');
  expect(unknown.stderr).toContain(
    'Did you mean "Guide"? To create the space, run `docsctl spaces create Gide`.',
  );
  const lost = await desk.run(['spaces', 'import', 'Guide', dir, '--org', 'Nowhere']);
  expect(lost.stderr).toContain('There is no organization "Nowhere" that you can see.');
  expect(lost.stderr).not.toContain('spaces create');
});

it('spaces import keeps the path of a renamed page while its file has the same name', async () => {
  await imported();
  const paths = async () =>
    (await desk.done(['pages', 'list', 'Guide', '--columns', 'path', '--no-headers'])).stdout;
  await desk.done(['pages', 'rename', 'Guide', 'a', 'Start', '--slug', 'start', '--merge']);
  expect(await paths()).toContain('start\n');
  const out = join(dir, 'out');
  await desk.done(['spaces', 'export', 'Guide', out]);
  const same = await desk.run(['spaces', 'import', 'Guide', out]);
  expect(same.stderr).toContain('Nothing to import: the space already has the content of the folder.');
  expect(await paths()).toContain('start\n');

  // A renamed file changes the path.
  renameSync(join(out, 'a.md'), join(out, 'begin.md'));
  writeFileSync(join(out, 'SUMMARY.md'), '* [Start](begin.md)\n');
  await desk.done(['spaces', 'import', 'Guide', out]);
  expect(await paths()).toBe('begin\n');
});

it('spaces import gives a group the path of its heading in SUMMARY.md', async () => {
  const group = (slug: string) =>
    writeFileSync(join(dir, 'SUMMARY.md'), `## Group <a href="#${slug}" id="${slug}"></a>\n\n* [A](a.md)\n`);
  group('one');
  await imported();
  group('two');
  await imported();
  const { stdout } = await desk.done(['pages', 'list', 'Guide', '--columns', 'path', '--no-headers']);
  expect(stdout).toContain('two/a\n');
});

describe('the result of docsctl spaces import', () => {
  it('is the ID of its change request with -o id', async () => {
    const { exit, stdout } = await imported('--change-request', '-o', 'id');
    expect(exit).toBe(0);
    expect(
      JSON.parse((await desk.done(['cr', 'get', stdout.trim(), '--space', 'Guide', '-o', 'json'])).stdout),
    ).toMatchObject({ number: 1, status: 'draft' });
    writeFileSync(join(dir, 'a.md'), 'more');
    expect(await imported('--change-request', '1', '-o', 'id')).toMatchObject({ exit: 0, stdout });
    expect(await imported('--change-request', '1', '-o', 'id')).toMatchObject({ exit: 0, stdout });
  });

  it('is also printed if nothing is sent', async () => {
    const dry = await imported('--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      merged: false,
      pages: 1,
      texts: 1,
      files: 0,
      deletedFiles: 0,
    });
    expect(dry.stderr).toContain('Nothing was sent.');
    expect(await imported('--dry-run', '-o', 'id')).toMatchObject({ exit: 0, stdout: '' });
    await imported();
    for (const flags of [[], ['--dry-run']])
      expect(JSON.parse((await imported('-o', 'json', ...flags)).stdout)).toMatchObject(none);
    expect(await imported('-o', 'id')).toMatchObject({ exit: 0, stdout: '' });
    expect((await imported('-o', 'csv')).stdout.split('\r\n')[1]).toBe('false,0,0,0,0,2,0');
    expect(await imported()).toMatchObject({ exit: 0, stdout: '' });
  });

  it('contains every warning as JSON', async () => {
    const { stdout } = await imported('-o', 'json');
    expect(JSON.parse(stdout).warningList).toEqual([
      { file: 'b.md', line: 0, rule: 'unlisted-page', message: unlistedMessage },
      { file: 'c.md', line: 0, rule: 'unlisted-page', message: unlistedMessage },
    ]);
  });
});

describe('the warnings of docsctl spaces import', () => {
  it('list all files that are not in SUMMARY.md on one line', async () => {
    const { stderr } = await imported();
    expect(stderr).toContain(
      'warning: 2 Markdown files are not in the table of contents and are skipped (--unlisted hidden imports them): b.md, c.md\n',
    );
    expect(stderr.match(/warning:/g)).toHaveLength(1);
  });

  it('are shortened to 30 lines and a count', () => {
    const unlisted = Array.from({ length: 7 }, (_, index) => ({
      file: `${index}.md`,
      line: 0,
      rule: 'unlisted-page' as const,
      message: unlistedMessage,
    }));
    const others = Array.from({ length: 33 }, (_, index) => ({
      file: `x${index}`,
      line: index,
      rule: 'summary' as const,
      message: 'is odd',
    }));
    const lines = describeWarnings([...unlisted, ...others]);
    expect(lines).toHaveLength(32);
    expect(lines.slice(0, 2)).toEqual(['warning: x0: is odd', 'warning: x1:1: is odd']);
    expect(lines.slice(-2)).toEqual([
      '… and 3 more warnings; -o json prints all of them.',
      'warning: 7 Markdown files are not in the table of contents and are skipped (--unlisted hidden imports them): 0.md, 1.md, 2.md, 3.md, 4.md and 2 more',
    ]);
    expect(describeWarnings(unlisted.slice(0, 1))).toEqual([
      'warning: 1 Markdown file is not in the table of contents and is skipped (--unlisted hidden imports it): 0.md',
    ]);
  });
});

describe('docsctl spaces import of a folder without SUMMARY.md', () => {
  beforeEach(() => {
    rmSync(dir, { recursive: true, force: true });
    dir = newFolder({
      'README.md': '# Start\n',
      'getting-started/install.md': '# Install\n',
      'getting-started/linux/deb.md': '# Debian\n',
      'guides/README.md': '# Guides\n',
      'guides/first.md': '# First\n',
    });
  });
  const paths = async () => {
    const { stdout } = await desk.done([
      'pages',
      'list',
      'Guide',
      '-o',
      'tsv',
      '--columns',
      'type,path,title',
    ]);
    return stdout.split(/\r?\n/).slice(1, -1);
  };

  it('keeps names of folders in the paths of pages, and imports nothing the second time', async () => {
    const { stderr } = await imported();
    expect(stderr).toContain(
      'warning: getting-started/linux: has no README.md, so the tree shows its pages in the folder above\n',
    );
    const tree = [
      'document\treadme\tStart',
      'group\tgetting-started\tGetting started',
      'document\tgetting-started/install\tInstall',
      'document\tgetting-started/deb\tDebian',
      'document\tguides\tGuides',
      'document\tguides/first\tFirst',
    ];
    expect(await paths()).toEqual(tree);
    expect((await imported()).stderr).toContain('Nothing to import');
    expect(await paths()).toEqual(tree);
  });

  it('leads to an export without SUMMARY.md', async () => {
    await imported();
    const out = newFolder();
    onTestFinished(() => rmSync(out, { recursive: true, force: true }));
    await desk.done(['spaces', 'export', 'Guide', out]);
    expect(filesOf(out)).toEqual(filesOf(dir));
  });
});

describe('docsctl spaces import that overwrites edits in the space', () => {
  const warned = async (...more: string[]) => {
    const { exit, stderr } = await imported(...more);
    expect(exit).toBe(0);
    return stderr.split('\n').filter((line) => line.includes('overwrites'));
  };
  const warning = (paths: string, count = '1 file was') =>
    `warning: ${count} changed in the space since ${dir} was last imported or exported, and the import overwrites ${count.startsWith('1') ? 'it' : 'them'}: ${paths}`;

  it('warns with the names of the files, also in a dry run and as JSON', async () => {
    writeFileSync(join(dir, 'SUMMARY.md'), '* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n');
    await imported();
    const [a, b, c] = [await desk.pageId('A'), await desk.pageId('B'), await desk.pageId('C')];
    await desk.publish({ operation: 'update_page', page: a, document: { markdown: 'edited' } });
    await desk.publish(
      { operation: 'update_page', page: b, title: 'Better' },
      { operation: 'delete_page', page: c },
    );
    expect(await warned('--dry-run')).toEqual([warning('a.md, b.md, c.md', '3 files were')]);
    const { stdout } = await imported('--dry-run', '-o', 'json');
    expect(JSON.parse(stdout).overwritten).toEqual(['a.md', 'b.md', 'c.md']);
    expect(await warned('--change-request')).toEqual([warning('a.md, b.md, c.md', '3 files were')]);
    expect(await warned()).toEqual([warning('a.md, b.md, c.md', '3 files were')]);
    writeFileSync(join(dir, 'a.md'), 'more');
    expect(await warned()).toEqual([]);
    expect(JSON.parse((await imported('-o', 'json')).stdout).overwritten).toEqual([]);
  });

  it('does not warn of pages that an earlier import deleted', async () => {
    writeFileSync(join(dir, 'SUMMARY.md'), '* [A](a.md)\n* [B](b.md)\n');
    await imported();
    writeFileSync(join(dir, 'SUMMARY.md'), '* [A](a.md)\n');
    expect(await warned()).toEqual([]);
    expect(await warned('--unlisted', 'hidden')).toEqual([]);
    const settings = join(dir, '.gitbook.yaml');
    mkdirSync(join(dir, 'docs'));
    writeFileSync(join(dir, 'docs', 'd.md'), '# D\n');
    writeFileSync(settings, 'root: docs\n');
    expect(await warned()).toEqual([]);
    rmSync(settings);
    expect(await warned()).toEqual([]);
  });

  it('warns of a page without a file that was edited in the space', async () => {
    writeFileSync(join(dir, 'SUMMARY.md'), '* Group\n  * Inner\n    * [A](a.md)\n');
    await imported();
    expect(await warned('--dry-run')).toEqual([]);
    const inner = await desk.pageId('Inner');
    await desk.publish({ operation: 'update_page', page: inner, document: { markdown: 'edited' } });
    expect(await warned()).toEqual([warning('group/inner/')]);
    expect(await warned()).toEqual([]);
  });

  it('does not warn of SUMMARY.md if it names another OpenAPI specification', async () => {
    const summary = (slug: string) =>
      writeFileSync(
        join(dir, 'SUMMARY.md'),
        `* [A](a.md)\n* \`\`\`yaml\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: ${slug}\n  \`\`\`\n`,
      );
    summary('pets');
    const first = await imported('--trace');
    // The space itself is read once.
    expect(first.stderr.match(/^GET \/v1\/spaces\/\w+ /gm)).toHaveLength(1);
    expect(first.stderr).toContain(
      'warning: there is no OpenAPI specification "pets", so its pages are left out. Add it with `docsctl openapi publish FILE --slug pets`.',
    );
    const block = (slug: string) => `{% openapi-operation spec="${slug}" path="/a" method="get" %}\n\n`;
    const file = '{% openapi src="api/my_dogs.yaml" path="/a" method="get" %}\n{% endopenapi %}\n\n';
    writeFileSync(join(dir, 'a.md'), `# A\n\n${block('cats')}${file}\`\`\`\n${block('none')}\`\`\`\n`);
    expect((await imported()).stderr.match(/warning: there is no OpenAPI .*/g)).toEqual([
      'warning: there is no OpenAPI specification "cats", so its blocks show only a link. Add it with `docsctl openapi publish FILE --slug cats`.',
      'warning: there is no OpenAPI specification "my-dogs", so its blocks show only a link. Add it with `docsctl openapi publish FILE --slug my-dogs`.',
    ]);
    summary('shop');
    expect(await warned()).toEqual([]);
    // Guests cannot see which specifications exist.
    await desk.done(['members', 'invite', 'gus@example.com', '--role', 'guest']);
    await desk.done([
      'spaces',
      'permissions',
      'set',
      'Guide',
      '--users',
      'gus@example.com',
      '--role',
      'review',
    ]);
    summary('pets');
    const byGuest = await imported('--as', 'gus@example.com');
    expect([byGuest.exit, byGuest.stderr.includes('OpenAPI')]).toEqual([0, false]);
  });

  it('does not warn of titles from a SUMMARY.md that was deleted', async () => {
    writeFileSync(join(dir, 'a.md'), '# A\n\nText\n');
    writeFileSync(join(dir, 'SUMMARY.md'), '* [First](a.md)\n');
    await imported();
    rmSync(join(dir, 'SUMMARY.md'));
    expect(await warned()).toEqual([]);
    expect((await desk.done(['pages', 'list', 'Guide'])).stdout).toContain('A\ta\t');
  });

  it('does not warn of edits that the folder also contains, or of pages that it never contained', async () => {
    await imported();
    const a = await desk.pageId('A');
    await desk.publish(
      { operation: 'update_page', page: a, document: { markdown: 'same' } },
      page('Own', 'x'),
    );
    writeFileSync(join(dir, 'a.md'), 'same');
    writeFileSync(join(dir, 'd.md'), 'd');
    writeFileSync(join(dir, 'SUMMARY.md'), '* [First](a.md)\n* [D](d.md)\n');
    expect(await warned()).toEqual([]);
    // Remove a page from the folder, and add it again.
    rmSync(join(dir, 'd.md'));
    expect(await warned()).toEqual([]);
    writeFileSync(join(dir, 'd.md'), 'd');
    expect(await warned()).toEqual([]);
  });

  it('warns of an edited page that the import deletes', async () => {
    await imported();
    await desk.publish({
      operation: 'update_page',
      page: await desk.pageId('A'),
      document: { markdown: 'edited' },
    });
    writeFileSync(join(dir, 'SUMMARY.md'), '* [B](b.md)\n');
    rmSync(join(dir, 'a.md'));
    expect(await warned()).toEqual([warning('a.md')]);
  });
});

it('spaces import escapes file names, so that none looks like a line of docsctl', async () => {
  writeFileSync(join(dir, 'x\nwarning: forged\u001b[2K.md'), 'x');
  const { stderr } = await imported();
  expect(stderr).toContain('warning: x\\nwarning: forged\\u001b[2K.md: has a name');
  expect(stderr).not.toMatch(/^warning: forged/m);
});

describe('docsctl spaces import of a SUMMARY.md that is older than the page tree', () => {
  beforeEach(async () => {
    await imported();
    await desk.publish(page('Z', 'z', { git: { path: 'z.md' } }));
    await desk.done(['spaces', 'export', 'Guide', 'out']);
  });
  const again = () => desk.run(['spaces', 'import', 'Guide', 'out']);

  it('imports nothing after an export wrote a new SUMMARY.md', async () => {
    expect((await again()).stderr).toContain('Nothing to import');
    await desk.done(['spaces', 'export', 'Guide', 'out']);
    expect((await again()).stderr).toContain('Nothing to import');
  });

  it('does not send SUMMARY.md if only the text of a page was edited', async () => {
    writeFileSync(desk.at('out', 'a.md'), 'edited');
    expect((await again()).stderr).toContain('Imported: 1 page changed; merged');
    expect((await again()).stderr).toContain('Nothing to import');
  });

  it('sends SUMMARY.md if it was edited and moves pages', async () => {
    writeFileSync(desk.at('out', 'SUMMARY.md'), '# Mine\n\n* [Z](z.md)\n* [A](a.md)\n');
    writeFileSync(desk.at('out', 'a.md'), 'edited');
    expect((await again()).stderr).toContain('SUMMARY.md changed');
    expect((await again()).stderr).toContain('Nothing to import');
  });

  it('sends SUMMARY.md if somebody edited it', async () => {
    writeFileSync(desk.at('out', 'SUMMARY.md'), '# Mine\n\n* [A](a.md)\n* [Z](z.md)\n');
    expect((await again()).stderr).toContain('Imported: SUMMARY.md changed; merged');
    await desk.done(['spaces', 'export', 'Guide', 'out2']);
    expect(readdirSync(desk.at('out2')).sort()).toEqual(['SUMMARY.md', 'a.md', 'z.md']);
    expect((await again()).stderr).toContain('Nothing to import');
  });
});

describe('docsctl spaces import of a source that cannot be read', () => {
  it('reports the option that names it', async () => {
    const root = await imported('--root', 'none');
    expect(root).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining(
        '--root names the folder none, which does not exist in the imported folder or repository.',
      ),
    });
    const ref = await imported('--ref', 'main');
    expect(ref).toMatchObject({ exit: 8, stderr: expect.stringContaining('--ref names a branch') });
    const gone = await desk.run(['spaces', 'import', 'Guide', 'gone']);
    expect(gone.exit).toBe(8);
    for (const { stderr } of [root, ref, gone]) expect(stderr).not.toMatch(/at \/|\.\.$/m);
  });

  it('reports that a repository has no default branch', async () => {
    const bare = join(desk.home, 'r.git');
    execFileSync('git', ['init', '-q', '--bare', bare], { stdio: 'ignore' });
    const { exit, stderr } = await desk.run(['spaces', 'import', 'Guide', `file://${bare}`], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(exit).toBe(5);
    expect(stderr).toContain('has no default branch or no commits.');
    expect(stderr).toContain('--ref main');
  });
});
