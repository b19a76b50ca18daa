import { existsSync } from 'node:fs';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { kill } from 'node:process';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { Problem } from '../errors/problem.ts';

/** The parts of the process that running git needs. */
export interface GitHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Restrictions of the connections of git. */
export interface GitAccess {
  /** Schemes, separated by colons (default https:ssh:file). */
  readonly protocols?: string;
  /** Settings of git, which may contain secrets. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Uses no proxy, so that git connects directly to the checked address. */
  readonly isDirect?: boolean;
}

/** One run of git. */
export interface GitRun {
  /** Whether the user's git settings apply. They may contain credentials. */
  readonly config: 'user' | 'none';
  /** The address for messages. */
  readonly url: string;
  readonly access?: GitAccess;
  readonly input?: string;
  /** The variables that name the author and the committer of a commit. */
  readonly identity?: Readonly<Record<string, string>>;
  /** Maximum number of records, each ending with NUL, in the output (default: no limit). */
  readonly maxRecords?: number;
}

/** Maximum milliseconds for one run of git. */
const timeout = 5 * 60_000;
/** These settings prevent git from running anything from the repository and from changing its files. */
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

/** Returns the URL for git. It has a known scheme and cannot be mistaken for an option. */
export function repositoryUrl(source: string, cwd: string): string {
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

/**
 * Runs git in a folder, without a shell, hooks or prompts, and returns its output.
 * @throws Problem(not-found), Problem(unreachable), Problem(timed-out), Problem(interrupted), Problem(too-large),
 * Problem(conflict) if a server rejects a push
 */
export async function runGit(
  { env, signal }: GitHost,
  cwd: string,
  args: readonly string[],
  run: GitRun,
): Promise<string> {
  const { url, input, maxRecords = Number.POSITIVE_INFINITY } = run;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const running = execa('git', [...hardening, ...args], {
    cwd,
    env: environmentOf(env, run),
    extendEnv: false,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    // A new process group, because git does not stop its helper processes, which keep its output open.
    detached: true,
    maxBuffer: 64 * 1024 * 1024,
    stripFinalNewline: false,
    reject: false,
  });
  const stopAll = () => killGroup(running);
  stop.addEventListener('abort', stopAll, { once: true });
  if (stop.aborted) stopAll();
  let records = 0;
  if (Number.isFinite(maxRecords))
    running.stdout.on('data', (chunk: Uint8Array) => {
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) records++;
      if (records > maxRecords) stopAll();
    });
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
  if (result.isMaxBuffer || records > maxRecords)
    throw new Problem('too-large', `The repository ${withoutCredentials(url)} has too many files.`, {
      hint: 'Use a repository with only the documentation, or clone it and import a folder of it.',
    });
  throw gitProblem(url, result, args[0] === 'push');
}

/** Returns the environment of git: the user's, without variables that change where git reads and writes or make it ask. */
function environmentOf(
  env: GitHost['env'],
  { config, access = {}, identity = {} }: GitRun,
): Record<string, string | undefined> {
  const kept = Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !/^GIT_(?!SSH_COMMAND$|SSH$|ASKPASS$|SSL_)/.test(name) &&
        !(config === 'none' && /^(GIT|SSH)_ASKPASS$/.test(name)) &&
        !(access.isDirect === true && /^(https?|all)_proxy$/i.test(name)),
    ),
  );
  return {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    ...kept,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    // The home folder may have a .netrc with passwords of the user.
    ...(config === 'user' ? {} : { GIT_CONFIG_GLOBAL: '/dev/null', HOME: devNull }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: access.protocols ?? 'https:ssh:file',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    ...identity,
    ...configVariables(access.settings ?? {}),
  };
}

/** Returns the Problem for a repository that git could not read or write. */
function gitProblem(
  url: string,
  { stdout, stderr, exitCode }: { stdout: string; stderr: string; exitCode?: number | undefined },
  isPush: boolean,
): Problem {
  const repository = `The repository ${withoutCredentials(url)}`;
  const lines = withoutCredentials(stderr.replaceAll(url, withoutCredentials(url))).split(/\r*\n/);
  const select = (pattern: RegExp): string =>
    lines
      .filter((line) => pattern.test(line))
      .slice(0, 3)
      .join(' · ')
      .slice(0, 500)
      .replace(/[.\s]+$/, '');
  const reported = select(/^(fatal|error|remote|ssh|Host key|Permission)/);
  if (/couldn't find remote ref HEAD$/i.test(reported))
    return new Problem('not-found', `${repository} has no default branch or no commits.`, {
      hint: 'Name a branch, for example with --ref main.',
    });
  if (/\[(remote )?rejected\]/.test(stdout + stderr)) {
    const reasons = [describeRejection(stdout + stderr), select(/^remote: *\S/)].filter((one) => one !== '');
    return new Problem('conflict', `${repository} rejected the commit: ${reasons.join(' · ')}.`);
  }
  if (/could not read (Username|Password)|Authentication failed/i.test(reported))
    return new Problem('unreachable', `${repository} needs another user name or password.`, {
      hint: 'For `docsctl spaces git-sync`, set DOCSCTL_GIT_CREDENTIALS=USER:PASSWORD. Other commands use the credentials that your git has.',
    });
  const isMissing = /couldn't find remote ref|not our ref/i.test(reported);
  return new Problem(
    isMissing ? 'not-found' : 'unreachable',
    `${repository} could not be ${isPush ? 'written' : 'read'}: ${reported === '' ? `git exited with ${exitCode ?? 'a signal'}` : reported}.`,
    {
      hint: isMissing
        ? 'Name a branch, a tag, or a commit with all 40 digits with --ref.'
        : 'Check the address and your access to it. docsctl never asks for a password.',
    },
  );
}

/** Returns the reason that a server gives for rejecting a push, such as "fetch first". */
function describeRejection(output: string): string {
  const [, reason = 'no reason was given'] =
    /\[(?:remote )?rejected\][^(\n]*\(([^)\n]{1,200})\)/.exec(output) ?? [];
  return withoutCredentials(reason);
}

/** Returns settings as environment variables, which other users cannot read, unlike arguments. */
function configVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(entries.length)],
    ...entries.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]) as Record<string, string>;
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
