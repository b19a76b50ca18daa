import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { argv, exit } from 'node:process';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import type { ScriptLimits } from '../core/scripts.ts';
import { exchange, type FetchAnswer, type FromRunner, type ToRunner } from './protocol.ts';
import { ScriptContext, type Conversation } from './script-context.ts';

// The main program of a process of scripts; see runner.ts. It has no environment and one pipe, and ends with that pipe.

/** Contexts of one installation that work at the same time, and contexts that are kept. */
const maxOfInstallation = 4;
const maxContexts = 8;

type Run = Extract<ToRunner, { type: 'run' }>;
interface Warm {
  readonly key: string;
  readonly version: string;
  readonly context: ScriptContext;
  run: number | undefined;
}

interface WasmCompiler {
  readonly compile: (bytes: Uint8Array) => Promise<WebAssembly.Module>;
}

const pipe = new Socket({ fd: 3 });
// The types of Node know the module of WebAssembly, and not the global that makes it.
const { compile } = (globalThis as unknown as { WebAssembly: WasmCompiler }).WebAssembly;
const wasm = readFile(argv.at(-1) ?? '').then((bytes) => compile(bytes));
let setup: { readonly guest: string; readonly limits: ScriptLimits } | undefined;
let contexts: Warm[] = [];
const queue: Run[] = [];
/** The keys of contexts that are being created. */
const starting: string[] = [];
const calls = new Map<number, { resolve: (answer: FetchAnswer) => void; reject: (error: Error) => void }>();
let lastCall = 0;

// What other programs of this machine do comes first.
try {
  setPriority(10);
} catch {
  // Some systems do not allow it.
}
pipe.on('error', () => exit(0));
pipe.on('close', () => exit(0));
const send = exchange<FromRunner, ToRunner>(pipe, (message) => {
  if (message.type === 'setup') setup = message;
  else if (message.type === 'run') {
    queue.push(message);
    startWaiting();
  } else if (message.type === 'abort') abort(message.run);
  else {
    const call = calls.get(message.call);
    calls.delete(message.call);
    if (message.type === 'fetched') call?.resolve(message.answer);
    else call?.reject(new TypeError(message.error));
  }
});

function abort(run: number): void {
  const at = queue.findIndex((one) => one.run === run);
  if (at >= 0) queue.splice(at, 1);
  contexts.find((one) => one.run === run)?.context.stop('The message was withdrawn.');
}

/** Starts the messages that a context is free for. */
function startWaiting(): void {
  for (const next of queue.slice()) {
    const busy = contexts.filter(({ run }) => run !== undefined).map(({ key }) => key);
    if ([...busy, ...starting].filter((key) => key === next.context).length >= maxOfInstallation) continue;
    queue.splice(queue.indexOf(next), 1);
    void start(next);
  }
}

async function start(next: Run): Promise<void> {
  const { run, context: key, version, form, script, message } = next;
  contexts = contexts.filter(
    (one) => one.run !== undefined || ((one.key !== key || one.version === version) && !one.context.isSpent),
  );
  let warm = contexts.find((one) => one.key === key && one.version === version && one.run === undefined);
  const conversation = converse(run);
  if (warm !== undefined) {
    // The last one is used next, so that the others can go.
    contexts = [...contexts.filter((one) => one !== warm), warm];
    warm.run = run;
    send({ type: 'started', run });
    warm.context.send(message, conversation);
    return;
  }
  if (script === undefined || setup === undefined) return send({ type: 'missing', run });
  send({ type: 'started', run });
  starting.push(key);
  try {
    const options = { variant, wasm: await wasm, ...setup };
    warm = { key, version, context: await ScriptContext.create(options), run };
  } catch (error) {
    return send({ type: 'done', run, error: `The script could not be started: ${(error as Error).message}` });
  } finally {
    starting.splice(starting.indexOf(key), 1);
  }
  const idle = contexts.filter((one) => one.run === undefined);
  const excess = new Set(idle.slice(0, Math.max(0, contexts.length + 1 - maxContexts)));
  contexts = [...contexts.filter((one) => !excess.has(one)), warm];
  if (warm.context.load(script, form, conversation)) warm.context.send(message, conversation);
}

function converse(run: number): Conversation {
  return {
    log: (level, message) =>
      send({ type: 'log', run, log: { message, timestamp: new Date().toISOString(), level } }),
    answer: (answer) => send({ type: 'answer', run, answer }),
    fetch: (request) =>
      new Promise((resolve, reject) => {
        const call = ++lastCall;
        calls.set(call, { resolve, reject });
        send({ type: 'fetch', run, call, request });
      }),
    done(error) {
      const used = contexts.find((one) => one.run === run);
      if (used !== undefined) used.run = undefined;
      contexts = contexts.filter((one) => one !== used || !one.context.isSpent);
      send({ type: 'done', run, error });
      startWaiting();
    },
  };
}
