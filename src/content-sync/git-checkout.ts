import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sizeText } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { Warning } from './folder.ts';
import { repositoryUrl, runGit, type GitAccess, type GitHost, type GitRun } from './run-git.ts';

/** The files of a commit in a temporary folder, which `discard` deletes. */
interface Checkout {
  readonly dir: string;
  readonly commit: string;
  /** Warnings about the symbolic links of the repository, which are skipped. */
  readonly warnings: readonly Warning[];
  readonly discard: () => void;
}

/** Maximum number of files. */
const maxFiles = 50_000;
const maxBytes = 2 * 1024 ** 3;
/** Maximum length of the path of a file, in bytes. Systems cannot open much longer ones. */
const maxPath = 1024;
/** Whether the source of an import is a git repository: a URL, or a local bare repository. */
export function isRepository(source: string, cwd: string): boolean {
  if (/^[a-z][a-z0-9+.-]*(:\/\/|::)/i.test(source)) return true;
  if (/^[\w.-]+@[\w.-]+:(?!\/\/)/.test(source)) return true;
  return (
    /\.git\/?$/.test(source) &&
    statSync(join(resolve(cwd, source), 'HEAD'), { throwIfNoEntry: false })?.isFile() === true
  );
}

/** @throws Problem(invalid-input) if the folder for temporary files cannot be used */
function makeTemporaryFolder(): string {
  const folder = tmpdir();
  try {
    return mkdtempSync(join(folder, 'docsctl-git-'));
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new Problem('invalid-input', `The folder ${folder} for temporary files cannot be used (${code}).`, {
      hint: 'Set TMPDIR to a folder that you may write to.',
      cause,
    });
  }
}

/** A repository in a temporary folder. */
export interface OpenRepository {
  readonly dir: string;
  /** The commit that is checked out; undefined if the branch does not exist. */
  readonly commit: string | undefined;
  readonly warnings: readonly Warning[];
  /** The address for further runs of git. */
  readonly url: string;
  /** Runs git in the folder, and returns its output. */
  readonly git: (args: readonly string[], run?: Partial<GitRun>) => Promise<string>;
  readonly discard: () => void;
}

/**
 * Fetches one commit of a repository without its history, and checks out its files without running anything from it.
 * @throws Problem(invalid-input), Problem(not-found), Problem(unreachable), Problem(timed-out), Problem(too-large)
 */
export async function checkOut(host: GitHost, source: string, ref: string | undefined): Promise<Checkout> {
  const { dir, commit = '', warnings, discard } = await openRepository(host, source, ref);
  return { dir, commit, warnings, discard };
}

/** Options for opening a repository. */
export interface OpenOptions {
  /** Whether the branch may be missing. */
  readonly mayLackRef?: boolean;
  /** Whether the user's git settings apply to the connection (default: yes). */
  readonly config?: GitRun['config'];
  readonly access?: GitAccess;
}

/**
 * Fetches one commit like `checkOut`, into a repository in which commits can be made.
 * @throws the problems of `checkOut`
 */
export async function openRepository(
  host: GitHost,
  source: string,
  ref: string | undefined,
  { mayLackRef = false, config = 'user', access = {} }: OpenOptions = {},
): Promise<OpenRepository> {
  const url = repositoryUrl(source, host.cwd);
  const checkedRef = checkRef(ref);
  const dir = makeTemporaryFolder();
  const discard = () => rmSync(dir, { recursive: true, force: true });
  const git: OpenRepository['git'] = (args, run = {}) =>
    runGit(host, dir, args, { config: 'none', url, access, ...run });
  try {
    await git(['init', '--quiet', '--template=']);
    // Overrides the attributes of the repository.
    mkdirSync(join(dir, '.git', 'info'));
    writeFileSync(
      join(dir, '.git', 'info', 'attributes'),
      '* -text -eol -filter -ident -working-tree-encoding\n',
    );
    const commit = await fetchCommit(host, { dir, url, ref: checkedRef, config, access, mayLackRef, git });
    if (commit === undefined) return { dir, commit, warnings: [], url, git, discard };
    // A few small objects can expand to a very large number of paths.
    const links = checkTree(await git(['ls-tree', '-r', '-l', '-z', commit], { maxRecords: maxFiles }));
    await git(['checkout', '--quiet', '--detach', commit]);
    for (const path of links)
      if (lstatSync(join(dir, path), { throwIfNoEntry: false })?.isFile() === true) rmSync(join(dir, path));
    const warnings = links.map((file) => ({
      file,
      line: 0,
      rule: 'skipped-file' as const,
      message: 'is a symbolic link and is skipped',
    }));
    return { dir, commit, warnings, url, git, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

interface Fetch extends Required<OpenOptions>, Pick<OpenRepository, 'dir' | 'url' | 'git'> {
  readonly ref: string;
}

/** Fetches a commit, and returns its ID; undefined if the branch does not exist and `mayLackRef` is set. */
async function fetchCommit(
  host: GitHost,
  { dir, url, ref, config, access, mayLackRef, git }: Fetch,
): Promise<string | undefined> {
  const stop = new AbortController();
  const watch = setInterval(() => {
    if (packSize(dir) > maxBytes) stop.abort();
  }, 500).unref();
  try {
    // The user's git settings may contain credentials.
    await runGit(
      { ...host, signal: AbortSignal.any([host.signal, stop.signal]) },
      dir,
      [
        'fetch',
        '--quiet',
        '--depth=1',
        '--no-tags',
        '--no-recurse-submodules',
        `--upload-pack=${withoutHooks('git-upload-pack', url)}`,
        '--',
        url,
        ref,
      ],
      { config, url, access },
    );
  } catch (error) {
    if (stop.signal.aborted) throw tooLarge('more than 2 GiB');
    if (mayLackRef && error instanceof Problem && error.reason === 'not-found') return undefined;
    throw error;
  } finally {
    clearInterval(watch);
  }
  return (await git(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'])).trim();
}

/** Returns the command that serves a local repository without its hooks; for other repositories the name of the program. */
export function withoutHooks(program: 'git-upload-pack' | 'git-receive-pack', url: string): string {
  return url.startsWith('file:') ? `git -c core.hooksPath=/dev/null ${program.slice(4)}` : program;
}

/** Returns the bytes that a fetch has written so far. */
function packSize(dir: string): number {
  const folder = join(dir, '.git', 'objects', 'pack');
  try {
    return readdirSync(folder).reduce(
      (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  } catch {
    return 0;
  }
}

function tooLarge(what: string): Problem {
  return new Problem('too-large', `The repository has ${what}; the limit is ${maxFiles} files with 2 GiB.`, {
    hint: 'Clone the repository and import a folder of it.',
  });
}

/** Checks the size of a commit before it is written, and returns its symbolic links. */
function checkTree(listing: string): string[] {
  const links: string[] = [];
  let [bytes, count] = [0, 0];
  for (const line of listing.split('\0')) {
    const [, mode, size, path] = /^(\d+) \w+ [0-9a-f]+ +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    if (path === undefined) continue;
    bytes += Number(size === '-' ? 0 : size);
    count++;
    if (Buffer.byteLength(path) > maxPath) throw tooLarge(`a path of more than ${maxPath} bytes`);
    if (mode === '120000') links.push(path);
  }
  if (bytes > maxBytes) throw tooLarge(`${count} files with ${sizeText(bytes, maxBytes)}`);
  return links;
}

/** Checks the name of a branch, tag or commit to fetch (default HEAD). */
function checkRef(ref: string | undefined): string {
  if (ref === undefined) return 'HEAD';
  if (ref === '' || /^[-+/]|[\p{Cc}\s:~^?*[\\]|\.\.|@\{/u.test(ref))
    throw new Problem('invalid-input', `"${ref}" is not the name of a branch, tag or commit.`);
  if (/^[0-9a-f]{7,39}$/.test(ref))
    throw new Problem(
      'invalid-input',
      `A commit must be given with all 40 digits; "${ref}" has ${ref.length}.`,
      { hint: 'Run git rev-parse to get the full ID.' },
    );
  return ref;
}
