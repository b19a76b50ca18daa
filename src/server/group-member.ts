import cluster from 'node:cluster';
import type { Problem } from '../errors/problem.ts';
import type { FromMember, MemberSetup, ServedPlace, ToMember } from './group-messages.ts';
import type { Family } from './metrics.ts';
import { createLeasedLimit, type CreateLimit, type Lease } from './rate-limit.ts';

/** A process of a server with several processes. The first process, which started it, decides and counts for all of them. */
export interface GroupMember extends MemberSetup {
  readonly stopped: AbortSignal;
  /** Whether all processes have been ready at the same time. */
  readonly isComplete: () => boolean;
  /** Creates limits for a listener. The first process does the counting. */
  readonly createLimit: (listener: string, clock: () => number) => CreateLimit;
  readonly onReload: (reload: () => void) => void;
  /** Sets the function that returns the metrics of this process. */
  readonly onCollect: (read: () => Promise<readonly Family[]>) => void;
  readonly ready: (place: ServedPlace) => void;
  /** Reports why this process cannot serve. */
  readonly fail: (problem: Problem) => Promise<void>;
  /** Lets the process exit. */
  readonly leave: () => void;
}

/** Connects to the process that started this one as a member of its group. Returns undefined if there is none. */
export async function joinGroup(): Promise<GroupMember | undefined> {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  // If a message cannot be sent, the first process has ended, and this process ends too.
  const send = (message: FromMember): Promise<void> =>
    new Promise((resolve) => void worker.send(message, undefined, () => resolve()));
  const stop = new AbortController();
  const leases = new Map<number, (lease: Lease) => void>();
  let lastLease = 0;
  let isComplete = false;
  let reload = (): void => {};
  let read: () => Promise<readonly Family[]> = async () => [];
  const setup = await new Promise<MemberSetup>((resolve) => {
    worker.on('message', (message: ToMember) => {
      switch (message.type) {
        case 'setup':
          return resolve(message.setup);
        case 'complete':
          isComplete = message.isComplete;
          return;
        case 'lease':
          leases.get(message.id)?.(message.lease);
          leases.delete(message.id);
          return;
        case 'collect':
          return void read().then((families) => send({ type: 'metrics', id: message.id, families }));
        case 'reload':
          return reload();
        case 'stop':
          return stop.abort();
      }
    });
    void send({ type: 'hello' });
  });
  return {
    ...setup,
    stopped: stop.signal,
    isComplete: () => isComplete,
    createLimit: (listener, clock) => (options) =>
      createLeasedLimit(options, clock, (client) => {
        const id = ++lastLease;
        const { limit } = options;
        void send({ type: 'take', id, name: `${listener} ${options.name}`, limit, client });
        return new Promise((resolve) => leases.set(id, resolve));
      }),
    onReload: (work) => void (reload = work),
    onCollect: (work) => void (read = work),
    ready: (place) => void send({ type: 'ready', place }),
    fail: (problem) => send({ type: 'failed', reason: problem.reason, error: problem.toJSON().error }),
    leave: () => void worker.disconnect(),
  };
}
