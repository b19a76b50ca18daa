import { realpathSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../errors/problem.ts';
import { schemeProblem } from '../../resources/git-sync/repository-address.ts';
import { credentialsOf } from '../../resources/git-sync/rules.ts';
import { openRepository, type OpenOptions, type OpenRepository } from '../git-checkout.ts';
import { runGit, type GitAccess, type GitHost } from '../run-git.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Returns the addresses that git may connect to for an https URL; none if a proxy resolves its host.
 * @throws Problem(forbidden) for an address that is not public and not allowed
 */
export type ResolveHost = (url: string) => Promise<readonly string[]>;

/**
 * Opens the repository of a run. The user's git settings apply only if the run was requested with direct access to the store.
 * @throws Problem(forbidden), and the problems of `openRepository`
 */
export async function connect(
  { job, run }: SyncRun,
  resolveHost: ResolveHost,
  options: Pick<OpenOptions, 'mayLackRef'>,
): Promise<OpenRepository & { readonly config: 'user' | 'none' }> {
  const host = { cwd: tmpdir(), env: job.env, signal: job.signal };
  const access = run.isLocal ? {} : await restrictAccess(host, run.url, resolveHost);
  const settings = {
    ...access.settings,
    ...(run.credentials === undefined || !run.url.startsWith('https:')
      ? {}
      : authorization(run.url, await job.vault.open(run.credentials, credentialsOf(run.space)))),
  };
  const config = run.isLocal ? 'user' : 'none';
  return {
    ...(await openRepository(host, run.url, run.ref, {
      ...options,
      config,
      access: { ...access, settings },
    })),
    config,
  };
}

/** Returns git settings that send credentials only to one server. */
function authorization(url: string, credentials: string): Record<string, string> {
  const header = `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;
  return { [`http.${new URL(url).origin}/.extraHeader`]: header, 'http.followRedirects': 'false' };
}

/** Restricts a run that was requested through a server to https and to the operator's folder. */
async function restrictAccess(host: GitHost, url: string, resolveHost: ResolveHost): Promise<GitAccess> {
  if (url.startsWith('file:')) {
    checkFolder(url, host.env['DOCSCTL_GIT_FOLDER']);
    return { protocols: 'file' };
  }
  if (!url.startsWith('https:')) throw schemeProblem();
  const addresses = await resolveHost(url);
  const settings = { 'http.followRedirects': 'false' };
  if (addresses.length === 0) return { protocols: 'https', settings };
  const { hostname, port } = new URL(url);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(name) !== 0) return { protocols: 'https', settings, isDirect: true };
  await checkVersion(host, url);
  return {
    protocols: 'https',
    isDirect: true,
    settings: {
      ...settings,
      'http.curloptResolve': `${hostname}:${port === '' ? 443 : port}:${addresses.join(',')}`,
    },
  };
}

/** @throws Problem(not-implemented) if this version of git cannot be restricted to an address */
async function checkVersion(host: GitHost, url: string): Promise<void> {
  const version = await runGit(host, tmpdir(), ['version'], { config: 'none', url });
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major > 2 || (major === 2 && minor >= 37)) return;
  throw new Problem('not-implemented', 'git is too old to connect only to checked addresses.', {
    hint: 'Install git 2.37 or newer on the server.',
  });
}

/** @throws Problem(forbidden) if a local repository is not below the folder of the operator */
function checkFolder(url: string, folder: string | undefined): void {
  const refused = new Problem(
    'forbidden',
    'A server synchronizes only with repositories at https addresses.',
    { hint: 'The operator can allow the repositories below a folder with DOCSCTL_GIT_FOLDER.' },
  );
  if (folder === undefined || folder === '') throw refused;
  try {
    if (realpathSync(fileURLToPath(url)).startsWith(`${realpathSync(folder)}${sep}`)) return;
  } catch {
    // The error is the same as for a repository outside of the folder, so that callers cannot find out which files exist.
  }
  throw refused;
}
