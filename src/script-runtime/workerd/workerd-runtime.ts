import { execFile } from 'node:child_process';
import { access, constants, open, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execPath, platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { defaultScriptLimits, type ScriptRuntime } from '../../core/scripts.ts';
import { Problem } from '../../errors/problem.ts';
import { checkSignal, ProcessPool } from '../process-pool.ts';
import type { RuntimeOptions } from '../quickjs-runtime.ts';
import { createScriptFetch } from '../script-fetch.ts';
import type { WorkerdGuests } from './config.ts';
import { WorkerdProcess, type WorkerdOptions } from './workerd-process.ts';

interface WorkerdRuntimeOptions extends RuntimeOptions {
  /** The file of the program `workerd`. */
  readonly binary: string;
}

/**
 * Creates a runtime that runs scripts in workerd. Each installation of an integration has its own process without environment
 * variables, whose requests all go to this program. workerd itself limits neither time nor memory, so a process that uses too
 * much is killed.
 */
export function createWorkerdRuntime({
  binary,
  outgoing,
  api,
  limits: given,
  maxProcesses = 6,
  idle = 60_000,
}: WorkerdRuntimeOptions): ScriptRuntime {
  const limits = { ...defaultScriptLimits, ...given };
  const pool = new ProcessPool<WorkerdProcess>({ maxProcesses, idle });
  let options: Promise<WorkerdOptions> | undefined;
  return {
    async run(request) {
      options ??= readGuests().then((guests) => ({
        binary,
        guests,
        limits,
        fetch: createScriptFetch({ outgoing, api, maxBytes: limits.answer, timeout: limits.total }),
      }));
      const ready = await options;
      const key = JSON.stringify([request.integration, request.installation, request.version, request.form]);
      for (;;) {
        checkSignal(request.signal);
        const create = (onIdle: () => void): WorkerdProcess => new WorkerdProcess(ready, onIdle);
        const result = await pool.use(key, create, async (one) => {
          const found = await one.run(request);
          if (found === undefined) await one.closed;
          return found;
        });
        checkSignal(request.signal);
        if (result !== undefined) return result;
      }
    },
    close: () => pool.close(),
  };
}

/**
 * Returns the path of the program `workerd`: the file in DOCSCTL_WORKERD, or else the first one on the PATH.
 *
 * @throws Problem(invalid-input) if there is none, or if it is a script that starts the program
 */
export async function findWorkerd(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const named = env['DOCSCTL_WORKERD'];
  if (platform === 'win32')
    throw new Problem('invalid-input', 'DOCSCTL_INTEGRATION_RUNTIME=workerd does not work on Windows.', {
      hint: 'Unset DOCSCTL_INTEGRATION_RUNTIME to run scripts in QuickJS.',
    });
  const files =
    named === undefined
      ? (env['PATH'] ?? '')
          .split(delimiter)
          .flatMap((folder) => (folder === '' ? [] : join(folder, 'workerd')))
      : [named];
  let wrapper: string | undefined;
  for (const file of files) {
    const start = await readStart(file);
    if (start === undefined) continue;
    if (start !== '#!') return file;
    wrapper ??= file;
  }
  const hint =
    'Set DOCSCTL_WORKERD to the program, for example to node_modules/@cloudflare/workerd-linux-64/bin/workerd after `npm install workerd`, or unset DOCSCTL_INTEGRATION_RUNTIME.';
  if (wrapper !== undefined)
    throw new Problem('invalid-input', `${wrapper} is a script that starts workerd, not workerd itself.`, {
      hint,
    });
  throw new Problem(
    'invalid-input',
    named === undefined
      ? 'DOCSCTL_INTEGRATION_RUNTIME is "workerd", but there is no program workerd on the PATH.'
      : `DOCSCTL_WORKERD is "${named}", which cannot be run.`,
    { hint },
  );
}

/** Returns the first two characters of a program; undefined for a file that is not executable. */
async function readStart(file: string): Promise<string | undefined> {
  try {
    await access(file, constants.X_OK);
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(2), length: 2 });
      return bytesRead === 2 ? buffer.toString('latin1') : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

declare const DOCSCTL_VERSION: string | undefined;

/** Returns the programs that run before scripts: bundled in dist, or built from the sources. */
async function readGuests(): Promise<WorkerdGuests> {
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  // Only the build defines the version.
  if (typeof DOCSCTL_VERSION !== 'undefined')
    return {
      script: await readFile(file('workerd-script.js'), 'utf8'),
      module: await readFile(file('workerd-module.js'), 'utf8'),
    };
  const bundle = async (source: string, kind: string): Promise<string> => {
    const words = [file('../../../.scripts/bundle-source.js'), file(source), kind];
    return (await promisify(execFile)(execPath, words, { maxBuffer: 16 * 2 ** 20 })).stdout;
  };
  return {
    script: await bundle('../guest/workerd-script.ts', 'iife'),
    module: await bundle('../guest/workerd-module.ts', 'esm'),
  };
}
