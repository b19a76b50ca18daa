import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteFiles, safeFileName } from '../../../src/cli/results/save-file.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import { docsctl, type CliOptions } from '../../support/cli.ts';

const bytes = Buffer.from([0, 255, 13, 10, 27, 91]);
let home: string;
let options: CliOptions;
let fileId: string;

/** An embedded store with one file, whose name is not safe as a file name. */
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-save-'));
  options = {
    home,
    cwd: join(home, 'work'),
    env: { DOCSCTL_CONFIG_DIR: join(home, 'config'), DOCSCTL_STORE: `json:${join(home, 'store.json')}` },
  };
  mkdirSync(join(home, 'work'));
  const change = {
    changes: [
      {
        operation: 'insert_files',
        files: [{ name: '../.a\tb.bin', contentType: 'text/html', base64: bytes.toString('base64') }],
      },
    ],
  };
  await done('init', '--org-title', 'Acme', '--email', 'ana@acme.test');
  await done('spaces', 'create', '--title', 'Guide');
  await done('change-requests', 'create', '--space', 'Guide', '--subject', 'Files');
  const inserted = await docsctl(
    [
      'change-requests',
      'content',
      'update',
      '1',
      '--space',
      'Guide',
      '--compat',
      'false',
      '--body',
      '-',
      '-o',
      'json',
    ],
    {
      ...options,
      input: JSON.stringify(change),
    },
  );
  fileId = JSON.parse(inserted.stdout).insertedFiles[0].id;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function done(...words: string[]): Promise<void> {
  expect([words, (await docsctl(words, options)).exit]).toEqual([words, 0]);
}

const download = (...words: string[]) =>
  docsctl(
    ['change-requests', 'files', 'download', fileId, '--space', 'Guide', '--change-request', '1', ...words],
    options,
  );
const at = (...names: string[]) => join(home, 'work', ...names);
const inFolder = () => readdirSync(at());

describe('a command whose response is a file', () => {
  it('writes the file to standard output unchanged, and nothing else', async () => {
    for (const words of [[], ['-O', '-'], ['-o', 'json']]) {
      const ran = await download(...words);
      expect([ran.exit, ran.bytes, ran.stderr]).toEqual([0, bytes, '']);
    }
  });

  it('refuses to write the file to a terminal', async () => {
    for (const words of [[], ['-O', '-']]) {
      const ran = await docsctl(
        [
          'change-requests',
          'files',
          'download',
          fileId,
          '--space',
          'Guide',
          '--change-request',
          '1',
          ...words,
        ],
        { ...options, tty: true },
      );
      expect([ran.exit, ran.stdout, ran.stderr]).toEqual([64, '', expect.stringContaining('-O ./')]);
    }
  });

  it('creates the file that -O names, with the usual permissions', async () => {
    writeFileSync(at('ordinary'), '');
    const ran = await download('-O', 'logo.bin');
    expect([ran.exit, ran.stdout, ran.stderr]).toEqual([0, '', 'wrote logo.bin (6 bytes)\n']);
    expect(readFileSync(at('logo.bin'))).toEqual(bytes);
    expect(statSync(at('logo.bin')).mode).toBe(statSync(at('ordinary')).mode);
  });

  it('saves under a safe version of its name if -O names a folder', async () => {
    mkdirSync(at('files'));
    expect((await download('-O', 'files/')).stderr).toBe(`wrote ${join('files', '_a_b.bin')} (6 bytes)\n`);
    expect(readdirSync(at('files'))).toEqual(['_a_b.bin']);
    expect((await download('-O', '.')).exit).toBe(0);
    expect(inFolder().sort()).toEqual(['_a_b.bin', 'files']);
    expect(existsSync(join(home, '.a\tb.bin'))).toBe(false);
    const again = await download('-O', 'files');
    expect([again.exit, again.stderr]).toEqual([9, expect.stringContaining('already exists')]);
  });

  it('replaces a file only with --force, and leaves no temporary files', async () => {
    writeFileSync(at('logo.bin'), 'mine');
    const ran = await download('-O', 'logo.bin');
    expect([ran.exit, ran.stderr, readFileSync(at('logo.bin'), 'utf8')]).toEqual([
      9,
      expect.stringContaining('--force'),
      'mine',
    ]);
    expect((await download('-O', 'logo.bin', '--force')).exit).toBe(0);
    expect([readFileSync(at('logo.bin')), inFolder()]).toEqual([bytes, ['logo.bin']]);
    expect((await download('-O', 'new.bin', '--force')).exit).toBe(0);
  });

  it.each([[], ['--force']])('never writes through a symbolic link: %j', async (...force) => {
    writeFileSync(join(home, 'target'), 'mine');
    symlinkSync(join(home, 'target'), at('link'));
    symlinkSync(join(home, 'absent'), at('dangling'));
    for (const name of ['link', 'dangling']) {
      const ran = await download('-O', name, ...force);
      expect([ran.exit, lstatSync(at(name)).isSymbolicLink()]).toEqual([9, true]);
    }
    expect([readFileSync(join(home, 'target'), 'utf8'), existsSync(join(home, 'absent'))]).toEqual([
      'mine',
      false,
    ]);
  });

  it('explains what is wrong with a path', async () => {
    writeFileSync(at('file'), '');
    for (const [path, said] of [
      ['nowhere/', 'There is no folder nowhere/'],
      ['nowhere/a.bin', 'The file nowhere/a.bin cannot be written: the folder nowhere does not exist.'],
      ['file/a.bin', 'a part of its path is a file'],
      ['', '--out is empty'],
    ] as const) {
      const ran = await download('-O', path);
      expect([path, ran.exit, ran.stderr]).toEqual([
        path,
        path === '' ? 64 : 8,
        expect.stringContaining(said),
      ]);
    }
    expect(inFolder()).toEqual(['file']);
  });

  it.skipIf(process.getuid?.() === 0)('reports that a folder is not writable', async () => {
    mkdirSync(at('locked'));
    chmodSync(at('locked'), 0o500);
    expect((await download('-O', 'locked/')).stderr).toContain('permission denied');
  });

  it('creates no file if the download was refused', async () => {
    const ran = await docsctl(
      ['spaces', 'files', 'download', fileId, '--space', 'Guide', '-O', 'logo.bin'],
      options,
    );
    expect([ran.exit, inFolder()]).toEqual([5, []]);
  });

  it('can also be saved with `docsctl api`', async () => {
    const [space] = JSON.parse((await docsctl(['spaces', 'list', '-o', 'json'], options)).stdout).items;
    const words = ['api', 'GET', `/spaces/${space.id}/change-requests/1/content/files/${fileId}/download`];
    expect((await docsctl(words, options)).bytes).toEqual(bytes);
    expect((await docsctl([...words, '-O', 'x'], options)).stderr).toBe('wrote x (6 bytes)\n');
    expect((await docsctl(['api', 'GET', '/orgs', '-O', 'y'], options)).exit).toBe(64);
  });
});

describe('safeFileName', () => {
  it.each([
    ['Übersicht 2 (neu).png', 'Übersicht 2 (neu).png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\a.txt', 'a.txt'],
    ['.bashrc', '_bashrc'],
    ['-rf', '_rf'],
    ['..', 'file'],
    ['', 'file'],
    ['a/', 'file'],
    ['a\r\n\u001b[31mb', 'a___[31mb'],
    ['gnp.\u202etxt', 'gnp._txt'],
    ['what?.md', 'what_.md'],
    ['nul.txt', '_nul.txt'],
    ['end. .', 'end'],
    [`${'é'.repeat(300)}.tar`, `${'é'.repeat(125)}.tar`],
    ['\ud800x', '_x'],
  ])('saves %j as %j', (name, saved) => {
    expect(safeFileName(name)).toBe(saved);
  });

  it('always returns one plain name of at most 255 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const saved = safeFileName(name);
        expect(saved).toMatch(/^[^.\-/\\\p{C}][^/\\\p{C}]*$/u);
        expect(Buffer.byteLength(saved)).toBeLessThanOrEqual(255);
        expect(safeFileName(saved)).toBe(saved);
      }),
    );
  });
});

describe('noteFiles in a dry run', () => {
  const notesOf = (count: number): string[] => {
    const notes: string[] = [];
    const session = { note: (line: string) => void notes.push(line) } as unknown as Session;
    noteFiles(
      session,
      'would write',
      Array.from({ length: count }, (_, index) => `${index}.md`),
    );
    return notes;
  };

  it('lists up to 30 files', () => {
    expect(notesOf(0)).toEqual([]);
    expect(notesOf(30)).toHaveLength(30);
    expect(notesOf(30).at(-1)).toBe('would write 29.md');
  });

  it('counts the other files', () => {
    expect(notesOf(31)).toHaveLength(31);
    expect(notesOf(31).at(-1)).toBe('would write 1 more files');
  });
});
