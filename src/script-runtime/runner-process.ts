import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { argv, exit } from 'node:process';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newVariant } from 'quickjs-emscripten-core';
import type { ScriptLimits } from '../core/scripts.ts';
import { exchange, type FetchAnswer, type FromRunner, type ToRunner } from './protocol.ts';
import { ScriptContext, type Conversation } from './script-context.ts';
import { withdrawn } from './stop-reasons.ts';

// The main program of a script process; see runner.ts. It has no environment variables and one pipe, and ends with that pipe.

/** Maximum number of contexts of one installation that work at the same time, and of contexts that are kept. */
const maxOfInstallation = 4;
const maxContexts = 8;

type Run = Extract<ToRunner, { type: 'run' }>;
interface Warm {
  readonly key: string;
  readonly version: string;
  readonly context: ScriptContext;
  run: number | undefined;
}

interface Wasm {
  readonly compile: (bytes: Uint8Array) => Promise<WebAssembly.Module>;
  readonly Memory: new (pages: { initial: number; maximum: number }) => object;
}

const pipe = new Socket({ fd: 3 });
// The types of Node.js include the types of WebAssembly, but not the global.
const { compile, Memory } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
/** Pages are the unit of the initial memory of QuickJS and of the additional memory for a script. */
const pageSize = 65_536;
const initialPages = 256;
const wasm = readFile(argv.at(-1) ?? '').then((bytes) => compile(bytes));
let setup: { guest: string; limits: ScriptLimits } | undefined;
let contexts: Warm[] = [];
const queue: Run[] = [];
/** Messages whose context is being created. */
const starting: { key: string; run: number; isWithdrawn: boolean }[] = [];
const calls = new Map<
  number,
  { run: number; resolve: (answer: FetchAnswer) => void; reject: (error: Error) => void }
>();
let lastCall = 0;

// Lowers the priority, so that other programs on this machine come first.
try {
  setPriority(10);
} catch {
  // Not possible on some systems.
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
  if (at >= 0) {
    queue.splice(at, 1);
    send({ type: 'done', run, error: withdrawn });
  }
  const begun = starting.find((one) => one.run === run);
  if (begun !== undefined) begun.isWithdrawn = true;
  contexts.find((one) => one.run === run)?.context.stop(withdrawn);
}

/** Starts waiting messages for which a context is free. */
function startWaiting(): void {
  for (const next of queue.slice()) {
    const busy = [...contexts.filter(({ run }) => run !== undefined), ...starting];
    if (busy.filter(({ key }) => key === next.context).length >= maxOfInstallation) continue;
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
    // Moved to the end: the last context is used next, so that the others can be closed.
    contexts = [...contexts.filter((one) => one !== warm), warm];
    warm.run = run;
    send({ type: 'started', run });
    warm.context.send(message, conversation);
    return;
  }
  if (script === undefined || setup === undefined) return send({ type: 'missing', run });
  send({ type: 'started', run });
  const begun = { key, run, isWithdrawn: false };
  starting.push(begun);
  const context = await createContext(setup).catch((error: unknown) => error as Error);
  starting.splice(starting.indexOf(begun), 1);
  if (context instanceof Error || begun.isWithdrawn) {
    const reason =
      context instanceof Error ? `The script could not be started: ${context.message}` : withdrawn;
    send({ type: 'done', run, error: reason });
    return startWaiting();
  }
  warm = { key, version, context, run };
  const idle = contexts.filter((one) => one.run === undefined);
  const excess = new Set(idle.slice(0, Math.max(0, contexts.length + 1 - maxContexts)));
  contexts = [...contexts.filter((one) => !excess.has(one)), warm];
  if (warm.context.load(script, form, conversation)) warm.context.send(message, conversation);
}

async function createContext(given: NonNullable<typeof setup>): Promise<ScriptContext> {
  // QuickJS itself limits only individual allocations, because in WebAssembly it does not know the sizes of the others.
  const maximum = initialPages + Math.ceil(given.limits.memory / pageSize);
  const wasmMemory = new Memory({ initial: initialPages, maximum });
  return ScriptContext.create({
    ...given,
    variant: newVariant(variant, { wasmModule: await wasm, wasmMemory }),
  });
}

function converse(run: number): Conversation {
  return {
    log: (level, message) =>
      send({ type: 'log', run, log: { message, timestamp: new Date().toISOString(), level } }),
    answer: (answer) => send({ type: 'answer', run, answer }),
    fetch: (request) =>
      new Promise((resolve, reject) => {
        const call = ++lastCall;
        calls.set(call, { run, resolve, reject });
        send({ type: 'fetch', run, call, request });
      }),
    done(error) {
      const used = contexts.find((one) => one.run === run);
      if (used !== undefined) used.run = undefined;
      // The host does not answer them anymore.
      for (const [call, { run: of, reject }] of calls) {
        if (of !== run) continue;
        calls.delete(call);
        reject(new Error(withdrawn));
      }
      contexts = contexts.filter((one) => one !== used || !one.context.isSpent);
      send({ type: 'done', run, error });
      startWaiting();
    },
  };
}
