import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A bare repository in a temporary folder, with a clone that a person works in. */
export interface BareRepository {
  readonly dir: string;
  readonly url: string;
  /** Runs git in the bare repository. */
  readonly git: (...args: string[]) => string;
  /** The files of a branch, by path. */
  readonly files: (branch?: string) => Record<string, string>;
  /** Commits files to the branch main, as a person would: undefined deletes one. Returns the commit. */
  readonly commit: (files: Readonly<Record<string, string | undefined>>, message?: string) => string;
  /** The commit of main; empty if there is none. */
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

/** Makes an empty bare repository. */
export function createBareRepository(): BareRepository {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-bare-'));
  const dir = join(folder, 'docs.git');
  const work = join(folder, 'work');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    ...identity,
  };
  const run = (cwd: string, args: readonly string[]): string =>
    execFileSync('git', [...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run(folder, ['init', '--quiet', '--bare', '--initial-branch=main', dir]);
  const git = (...args: string[]): string => run(dir, args);
  const head = (): string => git('for-each-ref', '--format=%(objectname)', 'refs/heads/main').trim();
  const commit: BareRepository['commit'] = (files, message = 'Edit') => {
    rmSync(work, { recursive: true, force: true });
    run(folder, ['clone', '--quiet', dir, work]);
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) {
        rmSync(join(work, path), { force: true });
        continue;
      }
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), text);
    }
    run(work, ['add', '--all', '--force']);
    run(work, ['commit', '--quiet', '--allow-empty', '-m', message]);
    run(work, ['push', '--quiet', 'origin', 'HEAD:refs/heads/main']);
    return head();
  };
  const files = (branch = 'main'): Record<string, string> =>
    Object.fromEntries(
      git('ls-tree', '-r', '-z', '--name-only', branch)
        .split('\0')
        .filter((path) => path !== '')
        .map((path) => [path, git('show', `${branch}:${path}`)]),
    );
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
