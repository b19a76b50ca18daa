import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A bare repository in a temporary folder, with functions to commit. */
export interface BareRepository {
  readonly dir: string;
  readonly url: string;
  /** Runs git in the bare repository. */
  readonly git: (...args: string[]) => string;
  /** The files of a branch, by path. */
  readonly files: (branch?: string) => Record<string, string>;
  /** Commits files to the branch main like a person. A file that is undefined is deleted. Returns the commit. */
  readonly commit: (files: Readonly<Record<string, string | undefined>>, message?: string) => string;
  /** Returns the commit of main, or an empty string if there is none. */
  readonly head: () => string;
  readonly remove: () => void;
}

const identity = {
  GIT_AUTHOR_NAME: 'Ana',
  GIT_AUTHOR_EMAIL: 'ana@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Ana',
  GIT_COMMITTER_EMAIL: 'ana@example.com',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/** The author and committer of these commits, on January 1, 2026. */
const who = `${identity.GIT_AUTHOR_NAME} <${identity.GIT_AUTHOR_EMAIL}> 1767225600 +0000`;

/** Quotes a path for git fast-import. */
function quote(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Creates an empty bare repository. */
export function createBareRepository(): BareRepository {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-bare-'));
  const dir = join(folder, 'docs.git');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    ...identity,
  };
  const run = (args: readonly string[], input = ''): Buffer =>
    execFileSync('git', [...args], { cwd: folder, env, input, stdio: 'pipe' });
  run(['init', '--quiet', '--bare', '--initial-branch=main', dir]);
  const inside = (args: readonly string[], input?: string): Buffer => run(['-C', dir, ...args], input);
  const git = (...args: string[]): string => inside(args).toString();
  const head = (): string => git('for-each-ref', '--format=%(objectname)', 'refs/heads/main').trim();
  const commit: BareRepository['commit'] = (files, message = 'Edit') => {
    // This needs one process, instead of those for a clone, a commit and a push.
    const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const changes = Object.entries(files).map(([path, text]) =>
      text === undefined ? `D ${quote(path)}\n` : `M 100644 inline ${quote(path)}\n${data(text)}`,
    );
    const parent = head();
    const stream = [
      `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${data(`${message.trimEnd()}\n`)}`,
      parent === '' ? '' : `from ${parent}\n`,
      ...changes,
    ];
    inside(['fast-import', '--quiet', '--date-format=raw'], stream.join(''));
    return head();
  };
  const files = (branch = 'main'): Record<string, string> => {
    const entries = git('ls-tree', '-r', '-z', branch)
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const [about = '', path = ''] = line.split('\t');
        return [path, about.split(' ')[2] ?? ''] as const;
      });
    const contents = inside(['cat-file', '--batch'], entries.map(([, oid]) => `${oid}\n`).join(''));
    let at = 0;
    return Object.fromEntries(
      entries.map(([path]) => {
        const start = contents.indexOf('\n', at) + 1;
        const size = Number(contents.toString('latin1', at, start).trim().split(' ')[2]);
        at = start + size + 1;
        return [path, contents.toString('utf8', start, start + size)];
      }),
    );
  };
  return {
    dir,
    url: pathToFileURL(dir).href,
    git,
    files,
    commit,
    head,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
