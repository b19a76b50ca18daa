import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/cli/session.ts';
import { withTimeout } from '../../src/cli/timeout.ts';
import { waitForJob, type JobWait } from '../../src/cli/wait.ts';
import { Problem } from '../../src/errors/problem.ts';

/** A session on a server, or on a store whose work comes to no end by itself. */
function sessionOf({ signal }: Pick<AbortController, 'signal'>, isStore: boolean): Session {
  const work = ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve()),
    );
  return {
    runtime: { signal, clock: () => 0 },
    flags: { timeout: '0.001' },
    terminal: { stderrIsTTY: false },
    note: () => {},
    api: async () => ({ place: 'here', ...(isStore ? { work } : {}) }),
  } as unknown as Session;
}

/** Waits in a command with --timeout 0.001. */
const waitShortly = async (isStore: boolean, more: Partial<JobWait<string>> = {}): Promise<unknown> => {
  let thrown: unknown;
  await withTimeout(0.001, new AbortController().signal, async (signal) => {
    thrown = await wait(sessionOf({ signal }, isStore), more);
  }).catch(() => {});
  return thrown;
};
const wait = (session: Session, more: Partial<JobWait<string>> = {}) =>
  waitForJob(session, {
    kind: 'k',
    subject: 's',
    read: async () => 'waits',
    isDone: (value: string) => value === 'done',
    ...more,
  }).catch((error: unknown) => error);

describe('waiting', () => {
  it.each([
    [true, 'Not done after 0.001 s. The work stays queued. `docsctl jobs run` goes on with it.'],
    [false, 'Not done after 0.001 s. The work stays queued. The server goes on with it.'],
  ])(
    'ends when its time is over, and says where the work goes on (a store: %s)',
    async (isStore, message) => {
      const thrown = await waitShortly(isStore);
      expect(thrown).toMatchObject({
        reason: 'timed-out',
        exitCode: 69,
        message,
        hint: '`docsctl jobs get k.s` shows its state.',
      });
    },
  );

  it('cuts off a read that hangs', async () => {
    const read = (signal: AbortSignal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Problem('interrupted', 'Stopped.'))),
      ) as Promise<string>;
    expect(await waitShortly(false, { read, command: 'docsctl x' })).toMatchObject({
      reason: 'timed-out',
      hint: '`docsctl x` shows its state.',
    });
  });

  it('gives what is done, and passes on what fails', async () => {
    expect(await wait(sessionOf(new AbortController(), false), { read: async () => 'done' })).toBe('done');
    const read = async () => Promise.reject(new Problem('not-found', 'Gone.'));
    expect(await wait(sessionOf(new AbortController(), false), { read })).toMatchObject({
      reason: 'not-found',
    });
  });

  it.each([true, false])('is stopped by a signal (a store: %s)', async (isStore) => {
    const controller = new AbortController();
    const waiting = wait(sessionOf(controller, isStore));
    controller.abort();
    expect(await waiting).toMatchObject({ reason: 'interrupted' });
  });
});
