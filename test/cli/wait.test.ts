import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/cli/session.ts';
import { readTimeout, waitForJob, type JobWait } from '../../src/cli/wait.ts';
import { Problem } from '../../src/errors/problem.ts';

/** A session on a server, or on a store whose work comes to no end by itself. */
function sessionOf(controller: AbortController, isStore: boolean): Session {
  const work = ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve()),
    );
  return {
    runtime: { signal: controller.signal, clock: () => 0 },
    terminal: { stderrIsTTY: false },
    note: () => {},
    api: async () => ({ place: 'here', ...(isStore ? { work } : {}) }),
  } as unknown as Session;
}

const shortTimeout = () => readTimeout({ wait: true, timeout: '0.001' });
const wait = (session: Session, more: Partial<JobWait<string>> = {}) =>
  waitForJob(session, {
    kind: 'k',
    subject: 's',
    read: async () => 'waits',
    isDone: (value: string) => value === 'done',
    timeout: shortTimeout(),
    ...more,
  }).catch((error: unknown) => error);

describe('waiting', () => {
  it.each([
    [true, 'Not done after 0.001 s. The work stays queued and goes on with `docsctl jobs run`.'],
    [false, 'Not done after 0.001 s. The work stays queued and goes on there.'],
  ])(
    'ends when its time is over, and says where the work goes on (a store: %s)',
    async (isStore, message) => {
      const thrown = (await wait(sessionOf(new AbortController(), isStore))) as Problem;
      expect(thrown).toMatchObject({
        reason: 'timed-out',
        exitCode: 69,
        message,
        hint: '`docsctl jobs get k.s` shows how far it is.',
      });
    },
  );

  it('cuts off a read that hangs', async () => {
    const read = (signal: AbortSignal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Problem('interrupted', 'Stopped.'))),
      ) as Promise<string>;
    expect(await wait(sessionOf(new AbortController(), false), { read, command: 'docsctl x' })).toMatchObject(
      { reason: 'timed-out', hint: '`docsctl x` shows how far it is.' },
    );
  });

  it('gives what is done, and passes on what fails', async () => {
    expect(await wait(sessionOf(new AbortController(), false), { read: async () => 'done' })).toBe('done');
    const read = async () => Promise.reject(new Problem('not-found', 'Gone.'));
    expect(await wait(sessionOf(new AbortController(), false), { read })).toMatchObject({
      reason: 'not-found',
    });
  });

  it.each([true, false])(
    'is stopped by a signal, with a timeout or without (a store: %s)',
    async (isStore) => {
      for (const given of [undefined, readTimeout({ wait: true, timeout: '60' })]) {
        const controller = new AbortController();
        const waiting = wait(sessionOf(controller, isStore), { timeout: given });
        controller.abort();
        expect(await waiting).toMatchObject({ reason: 'interrupted' });
      }
    },
  );
});
