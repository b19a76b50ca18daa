import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { kill } from 'node:process';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { Problem } from '../errors/problem.ts';
import type { Warning } from './folder.ts';

/** What git needs from the process that runs it. */
export interface GitHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The files of a commit in a temporary folder, which `discard` deletes. */
export interface Checkout {
  readonly dir: string;
  readonly commit: string;
  /** Warnings about the symbolic links of the repository, which are skipped. */
  readonly warnings: readonly Warning[];
  readonly discard: () => void;
}

/** Milliseconds for one run of git; the limits of files and of their total size. */
const timeout = 5 * 60_000;
const maxFiles = 50_000;
const maxBytes = 2 * 1024 ** 3;
/** Git runs nothing from the repository and writes its files unchanged. */
const hardening = [
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.fsmonitor=false',
  'core.autocrlf=false',
  'core.eol=lf',
  'submodule.recurse=false',
  'gc.auto=0',
  'protocol.allow=never',
  'protocol.ext.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
].flatMap((setting) => ['-c', setting]);

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

/**
 * Fetches one commit of a repository without its history, and checks out its files without running anything from it.
 * @throws Problem(invalid-input), Problem(not-found), Problem(unreachable), Problem(timed-out), Problem(too-large)
 */
export async function checkOut(host: GitHost, source: string, ref: string | undefined): Promise<Checkout> {
  const url = repositoryUrl(source, host.cwd);
  const checkedRef = checkRef(ref);
  const dir = makeTemporaryFolder();
  const discard = () => rmSync(dir, { recursive: true, force: true });
  const git = (args: readonly string[], config: 'user' | 'none') => runGit(host, dir, args, { config, url });
  try {
    await git(['init', '--quiet', '--template='], 'none');
    // Overrides attributes of the repository.
    mkdirSync(join(dir, '.git', 'info'));
    writeFileSync(
      join(dir, '.git', 'info', 'attributes'),
      '* -text -eol -filter -ident -working-tree-encoding\n',
    );
    // The settings of the user may contain credentials.
    await git(
      ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url, checkedRef],
      'user',
    );
    const commit = (await git(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'], 'none')).trim();
    const links = checkTree(await git(['ls-tree', '-r', '-l', '-z', commit], 'none'));
    await git(['checkout', '--quiet', '--detach', commit], 'none');
    for (const path of links)
      if (lstatSync(join(dir, path), { throwIfNoEntry: false })?.isFile() === true) rmSync(join(dir, path));
    return {
      dir,
      commit,
      warnings: links.map((file) => ({
        file,
        line: 0,
        rule: 'skipped-file',
        message: 'is a symbolic link and is skipped',
      })),
      discard,
    };
  } catch (error) {
    discard();
    throw error;
  }
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
    if (mode === '120000') links.push(path);
  }
  if (count > maxFiles || bytes > maxBytes)
    throw new Problem(
      'too-large',
      `The repository has ${count} files with ${bytes} bytes; the limit is ${maxFiles} files with 2 GiB.`,
      {
        hint: 'Clone the repository and import a folder of it.',
      },
    );
  return links;
}

/** Returns the URL for git: one of a known scheme, and never an option of git. */
function repositoryUrl(source: string, cwd: string): string {
  const refuse = (why: string) =>
    new Problem('invalid-input', `The repository ${withoutCredentials(source)} cannot be used: ${why}.`, {
      hint: 'Use https://, ssh://, git@host:path or file://.',
    });
  if (source.startsWith('-') || /[\p{Cc}]/u.test(source)) throw refuse('it is not an address');
  if (/^(https|ssh|file):\/\//i.test(source)) {
    if (/^[a-z]+:\/\/([^/]*@)?-/i.test(source)) throw refuse('its host begins with "-"');
    return source;
  }
  if (/^[a-z][a-z0-9+.-]*(:\/\/|::)/i.test(source))
    throw refuse(
      /^(http|git):/i.test(source) ? 'its connection is not encrypted' : 'its scheme is not supported',
    );
  if (/^\w[\w.-]*@\w[\w.-]*:(?!-)/.test(source) && !existsSync(resolve(cwd, source))) return source;
  return pathToFileURL(resolve(cwd, source)).href;
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

async function runGit(
  { env, signal }: GitHost,
  cwd: string,
  args: readonly string[],
  { config, url }: { readonly config: 'user' | 'none'; readonly url: string },
): Promise<string> {
  const kept = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(?!SSH_COMMAND$|SSH$|ASKPASS$|SSL_)/.test(name)),
  );
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const running = execa('git', [...hardening, ...args], {
    cwd,
    env: {
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      ...kept,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      ...(config === 'user' ? {} : { GIT_CONFIG_GLOBAL: '/dev/null' }),
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'https:ssh:file',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_LFS_SKIP_SMUDGE: '1',
    },
    extendEnv: false,
    stdin: 'ignore',
    // A process group of its own: git does not stop its helpers, which keep its output open.
    detached: true,
    maxBuffer: 64 * 1024 * 1024,
    stripFinalNewline: false,
    reject: false,
  });
  const stopAll = () => killGroup(running);
  stop.addEventListener('abort', stopAll, { once: true });
  if (stop.aborted) stopAll();
  const result = await running;
  stop.removeEventListener('abort', stopAll);
  if (!result.failed) return result.stdout;
  if (signal.aborted) throw new Problem('interrupted', 'Interrupted.');
  if (result.code === 'ENOENT')
    throw new Problem('not-implemented', 'git is not installed.', {
      hint: 'Install git, or give a folder instead of a repository.',
    });
  if (stop.aborted)
    throw new Problem('timed-out', `git took more than ${timeout / 60_000} minutes.`, {
      hint: 'Try again, or clone the repository and import the folder.',
    });
  const reported = withoutCredentials(result.stderr.replaceAll(url, withoutCredentials(url)))
    .split('\n')
    .filter((line) => /^(fatal|error|remote|ssh|Host key|Permission)/.test(line))
    .slice(0, 3)
    .join(' · ')
    .slice(0, 500)
    .replace(/[.\s]+$/, '');
  if (/couldn't find remote ref HEAD$/i.test(reported))
    throw new Problem(
      'not-found',
      `The repository ${withoutCredentials(url)} has no default branch or no commits.`,
      {
        hint: 'Name a branch, for example with --ref main.',
      },
    );
  const isMissing = /couldn't find remote ref|not our ref/i.test(reported);
  throw new Problem(
    isMissing ? 'not-found' : 'unreachable',
    `The repository ${withoutCredentials(url)} could not be read: ${reported === '' ? `git exited with ${result.exitCode ?? 'a signal'}` : reported}.`,
    {
      hint: isMissing
        ? 'Name a branch, a tag, or a commit with all 40 digits with --ref.'
        : 'Check the address and your access to it. docsctl never asks for a password.',
    },
  );
}

function killGroup(running: { readonly pid?: number | undefined; kill(signal: 'SIGKILL'): boolean }): void {
  try {
    if (running.pid !== undefined) kill(-running.pid, 'SIGKILL');
  } catch {
    running.kill('SIGKILL');
  }
}

/** Removes user names and passwords from the URLs in a text. */
export function withoutCredentials(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@]*(?:@[^/\s@]*)*@/gi, '$1');
}
