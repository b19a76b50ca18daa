import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as system, platform } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { defined } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { withValues, type Runtime } from './runtime.ts';
import { resolveSettings } from './settings/settings.ts';

/**
 * Runs the program `docsctl-NAME` on the PATH for an unknown command, and returns its exit code; undefined if there is no such
 * program. The plugin gets the settings of the command line in variables, but not the token of a profile.
 */
export async function runPlugin(
  runtime: Runtime,
  name: string,
  [word, ...args]: readonly string[],
): Promise<number | undefined> {
  const { env, signal } = runtime;
  const path = findPlugin(env['PATH'] ?? '', name);
  if (path === undefined) return undefined;
  if (word !== name)
    throw new Problem('usage', `Options in front of the plugin "${name}" are not supported.`, {
      hint: `Write them after the name, \`docsctl ${name} ...\`, or set variables such as DOCSCTL_ORG.`,
    });
  // The token is not needed here, and its file may be standard input, which the plugin should get.
  const withoutToken = withValues(runtime, { env: { ...env, DOCSCTL_TOKEN_FILE: undefined } });
  const { server, store, org, profile } = resolveSettings(withoutToken, {});
  const variables = defined({
    DOCSCTL_SERVER: server?.value,
    DOCSCTL_STORE: store?.value,
    DOCSCTL_ORG: org?.value,
    DOCSCTL_PROFILE: profile?.value,
  });
  const release = runtime.holdInterrupts();
  let child: ChildProcess | undefined;
  const stop = () => child?.kill();
  signal.addEventListener('abort', stop, { once: true });
  try {
    child = spawn(path, args, { stdio: 'inherit', env: { ...env, ...variables } });
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + system.signals[killedBy ?? 'SIGTERM'];
  } catch (error) {
    throw new Problem('usage', `${path} could not be started: ${(error as Error).message}.`, {
      hint: 'Check that it is a program, or a script whose first line names its interpreter.',
    });
  } finally {
    signal.removeEventListener('abort', stop);
    release();
  }
}

/**
 * Finds a plugin in the folders of PATH. Relative folders are skipped, because a cloned repository could contain a malicious
 * program.
 */
function findPlugin(path: string, name: string): string | undefined {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) return undefined;
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, `docsctl-${name}${platform() === 'win32' ? '.exe' : ''}`))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
