import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Outgoing } from '../core/outgoing.ts';
import { defaultScriptLimits, type ScriptLimits, type ScriptRuntime } from '../core/scripts.ts';
import { checkSignal, ProcessPool } from './process-pool.ts';
import { createScriptFetch, type ApiFetch } from './script-fetch.ts';
import { Runner, type RunnerOptions } from './runner.ts';

declare const DOCSCTL_VERSION: string | undefined;

/** Only the build defines the version. */
const isBuilt = typeof DOCSCTL_VERSION !== 'undefined';

export interface RuntimeOptions {
  readonly outgoing: Outgoing;
  readonly api: ApiFetch;
  readonly limits?: Partial<ScriptLimits>;
  /** Maximum number of processes (default 6). */
  readonly maxProcesses?: number;
  /** Milliseconds after which an idle process ends (default 60,000). */
  readonly idle?: number;
}

/**
 * Creates a runtime that runs scripts in QuickJS, compiled to WebAssembly. Each integration has its own process without
 * environment variables, each installation its own context.
 */
export function createQuickJsRuntime({
  outgoing,
  api,
  limits: given,
  maxProcesses = 6,
  idle = 60_000,
}: RuntimeOptions): ScriptRuntime {
  const limits = { ...defaultScriptLimits, ...given };
  const pool = new ProcessPool<Runner>({ maxProcesses, idle });
  let options: Promise<RunnerOptions> | undefined;
  return {
    async run(request) {
      checkSignal(request.signal);
      options ??= prepare().then((prepared) => ({
        ...prepared,
        limits,
        fetch: createScriptFetch({ outgoing, api, maxBytes: limits.answer, timeout: limits.total }),
      }));
      const ready = await options;
      const result = await pool.use(
        request.integration,
        (onIdle) => new Runner(ready, onIdle),
        (runner) => {
          checkSignal(request.signal);
          return runner.run(request);
        },
      );
      checkSignal(request.signal);
      return result;
    },
    close: () => pool.close(),
  };
}

/** Returns the programs of the processes and of the contexts: bundled in dist, or built from the sources. */
async function prepare(): Promise<Pick<RunnerOptions, 'program' | 'guest'>> {
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const wasm = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  if (isBuilt)
    return {
      program: [file('script-runner.js'), wasm],
      guest: await readFile(file('script-guest.js'), 'utf8'),
    };
  const bundler = file('../../.scripts/bundle-source.js');
  const args = [bundler, file('guest/index.ts'), 'iife'];
  const { stdout } = await promisify(execFile)(execPath, args, { maxBuffer: 16 * 2 ** 20 });
  return {
    program: [file('../../.scripts/run-source.js'), file('runner-process.ts'), wasm],
    guest: stdout,
  };
}
