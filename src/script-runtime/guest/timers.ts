import { callHost } from './host.ts';

interface Timer {
  readonly act: () => void;
  readonly every: number | undefined;
}

const timers = new Map<number, Timer>();
let lastId = 0;

/** Calls a function after some milliseconds. */
export function setTimeout(act: unknown, milliseconds = 0, ...args: unknown[]): number {
  return start(act, milliseconds, args, false);
}

/** Calls a function repeatedly. */
export function setInterval(act: unknown, milliseconds = 0, ...args: unknown[]): number {
  return start(act, milliseconds, args, true);
}

/** Stops a timer of `setTimeout` or `setInterval`. */
export function clearTimeout(id?: number): void {
  if (id !== undefined && timers.delete(id)) callHost('timer-clear', id);
}

function start(act: unknown, given: number, args: unknown[], repeats: boolean): number {
  if (typeof act !== 'function') throw new TypeError('A timer needs a function.');
  const milliseconds = Math.min(2 ** 31 - 1, Math.max(0, Math.floor(Number(given)) || 0));
  const id = ++lastId;
  callHost('timer', [id, milliseconds]);
  timers.set(id, { act: () => void act(...args), every: repeats ? milliseconds : undefined });
  return id;
}

/** Runs a due timer. The host calls this. */
export function fire(id: number): void {
  const timer = timers.get(id);
  if (timer === undefined) return;
  if (timer.every === undefined) timers.delete(id);
  else callHost('timer', [id, timer.every]);
  timer.act();
}
