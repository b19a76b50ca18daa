import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Outgoing } from '../core/outgoing.ts';
import { defaultScriptLimits, type ScriptLimits, type ScriptRuntime } from '../core/scripts.ts';
import { Problem } from '../errors/problem.ts';
import { createScriptFetch, type ApiFetch } from './script-fetch.ts';
import { Runner, type RunnerOptions } from './runner.ts';

declare const DOCSCTL_VERSION: string | undefined;

/** The build defines the version; the sources have none. */
const isBuilt = typeof DOCSCTL_VERSION !== 'undefined';

/** What the runtime needs. */
export interface QuickJsOptions {
  readonly outgoing: Outgoing;
  readonly api: ApiFetch;
  readonly limits?: Partial<ScriptLimits>;
  /** Processes that may exist at the same time (default 6). */
  readonly maxProcesses?: number;
  /** Milliseconds after which an idle process ends (default 60,000). */
  readonly idle?: number;
}

/**
 * Creates a runtime that runs scripts in QuickJS, compiled to WebAssembly: each integration in a process of its own
 * without an environment, each installation in a context of its own.
 */
export function createQuickJsRuntime({
  outgoing,
  api,
  limits: given,
  maxProcesses = 6,
  idle = 60_000,
}: QuickJsOptions): ScriptRuntime {
  const limits = { ...defaultScriptLimits, ...given };
  const runners = new Map<string, Runner>();
  let waiting: (() => void)[] = [];
  let options: Promise<RunnerOptions> | undefined;
  let isClosed = false;
  const wake = (): void => {
    const all = waiting;
    waiting = [];
    for (const one of all) one();
  };
  const drop = (integration: string, runner: Runner): void => {
    if (runners.get(integration) === runner) runners.delete(integration);
    runner.kill();
  };
  const onIdle = (integration: string, runner: Runner): void => {
    wake();
    const since = runner.idleSince;
    setTimeout(() => {
      if (runner.isIdle && runner.idleSince === since) drop(integration, runner);
    }, idle).unref();
  };
  const runnerOf = async (integration: string): Promise<Runner> => {
    options ??= prepare().then((prepared) => ({
      ...prepared,
      limits,
      fetch: createScriptFetch({ outgoing, api, maxBytes: limits.answer, timeout: limits.total }),
    }));
    const ready = await options;
    for (;;) {
      if (isClosed) throw new Problem('interrupted', 'The program is stopping.');
      const existing = runners.get(integration);
      if (existing !== undefined && !existing.isClosed) return existing;
      if (existing === undefined && runners.size >= maxProcesses) {
        const [oldest] = [...runners]
          .filter(([, one]) => one.isIdle)
          .sort(([, a], [, b]) => a.idleSince - b.idleSince);
        if (oldest === undefined) {
          await new Promise<void>((resolve) => waiting.push(resolve));
          continue;
        }
        drop(...oldest);
      }
      const runner: Runner = new Runner(ready, () => onIdle(integration, runner));
      runners.set(integration, runner);
      void runner.closed.then(() => {
        if (runners.get(integration) === runner) runners.delete(integration);
        wake();
      });
      return runner;
    }
  };
  return {
    async run(request) {
      checkSignal(request.signal);
      const runner = await runnerOf(request.integration);
      const result = await runner.run(request);
      checkSignal(request.signal);
      return result;
    },
    async close() {
      isClosed = true;
      wake();
      const all = [...runners.values()];
      for (const runner of all) runner.kill('The program is stopping.');
      await Promise.all(all.map(({ closed }) => closed));
    },
  };
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Problem('interrupted', 'The message to the script was withdrawn.');
}

/** Finds the program of the processes and the first program of the contexts: bundled in dist, or made from the sources. */
async function prepare(): Promise<Pick<RunnerOptions, 'program' | 'guest'>> {
  const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const wasm = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  if (isBuilt)
    return {
      program: [file('script-runner.js'), wasm],
      guest: await readFile(file('script-guest.js'), 'utf8'),
    };
  const bundler = file('../../.scripts/bundle-source.js');
  const bundle = async (source: string, kind: string): Promise<string> =>
    (await promisify(execFile)(execPath, [bundler, file(source), kind], { maxBuffer: 16 * 2 ** 20 })).stdout;
  return {
    program: [file('../../.scripts/run-source.js'), file('runner-process.ts'), wasm],
    guest: await bundle('guest/index.ts', 'iife'),
  };
}
