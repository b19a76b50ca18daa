import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/cli/session/session.ts';
import { withTimeout } from '../../../src/cli/input/timeout.ts';
import { runJobs, waitForJob, type JobWait } from '../../../src/cli/session/wait.ts';
import type { WorkRequest } from '../../../src/contract/api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { fakeTerminal } from '../output/fake-terminal.ts';

/** Returns a session on a server, or on a store whose work never ends. */
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

describe('runJobs', () => {
  type Event = Parameters<NonNullable<WorkRequest['onEvent']>>[0];
  const problem = new Problem('unreachable', 'No answer.');
  const ran = async (events: readonly Partial<Event>[], filter: { kind?: string; subject?: string } = {}) => {
    const notes: string[] = [];
    const session = {
      runtime: { signal: new AbortController().signal, clock: () => 0 },
      terminal: { stderrIsTTY: false },
      note: (text: string) => void notes.push(text),
      api: async () => ({
        work: async ({ onEvent }: WorkRequest) => {
          for (const event of events) onEvent?.({ kind: 'k', subject: 's', ...event });
        },
      }),
    } as unknown as Session;
    return { counts: await runJobs(session, filter), notes };
  };

  it('counts jobs by how they ended', async () => {
    const { counts, notes } = await ran([
      {},
      { end: 'done' },
      { progress: 'half' },
      { end: 'again' },
      { end: 'done', trouble: 'is slow' },
      { end: 'failed', problem },
      { end: 'later', problem },
      { end: 'held' },
      { end: 'held' },
    ]);
    expect(counts).toEqual({
      done: 3,
      failed: 1,
      later: 1,
      troubles: ['k is slow'],
      held: 2,
    });
    expect(notes).toEqual(['failed: k s: No answer.', 'will try again: k s: No answer.']);
  });

  it('prints no note about the failure of a job with a given subject', async () => {
    const events = [
      { end: 'later', problem },
      { end: 'failed', problem },
    ] as const;
    expect((await ran(events, { kind: 'k', subject: 's' })).notes).toEqual([
      'will try again: k s: No answer.',
    ]);
  });
});

describe('the progress line of runJobs', () => {
  it('shows what is done, of how much, how fast and how long it still takes, before the name of the job', async () => {
    const terminal = fakeTerminal({ tty: true });
    let now = 0;
    const session = {
      runtime: { signal: new AbortController().signal, clock: () => now },
      terminal,
      note: () => {},
      api: async () => ({
        work: async ({ onEvent }: WorkRequest) => {
          const job = { kind: 'conversations', subject: 'org_01M8R0MBQA421R902PBP7APPJ7' };
          for (const done of [400, 800, 1600]) {
            const progress = `${done} of 6000 conversations analyzed`;
            onEvent?.({ ...job, progress, share: { done, total: 6000 } });
            now += 2000;
          }
        },
      }),
    } as unknown as Session;
    await runJobs(session, {});
    expect(terminal.stderr.text.split('\r\u001b[2K')).toEqual([
      '',
      'Running jobs …',
      'jobs 0 · 400 of 6000 conversations analyzed · conversations org_01M8R0MBQA421R…',
      'jobs 0 · 800 of 6000 conversations analyzed, 200/s, 26 s left · conversations …',
      'jobs 0 · 1600 of 6000 conversations analyzed, 300/s, 15 s left · conversations…',
      '',
    ]);
  });
});

describe('waitForJob', () => {
  it.each([
    [true, 'Not done after 0.001 s. The work stays queued. `docsctl jobs run` continues it.'],
    [false, 'Not done after 0.001 s. The work stays queued. The server continues it.'],
  ])(
    'times out with a message that says where the work continues (embedded store: %s)',
    async (isStore, message) => {
      const thrown = await waitShortly(isStore);
      expect(thrown).toMatchObject({
        reason: 'timed-out',
        exitCode: 69,
        message,
        hint: 'To see its state, run `docsctl jobs get k.s`.',
      });
    },
  );

  it('aborts a read that hangs', async () => {
    const read = (signal: AbortSignal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Problem('interrupted', 'Stopped.'))),
      ) as Promise<string>;
    expect(await waitShortly(false, { read, command: 'docsctl x' })).toMatchObject({
      reason: 'timed-out',
      hint: 'To see its state, run `docsctl x`.',
    });
  });

  it('returns the result when it is done, and throws errors', async () => {
    expect(await wait(sessionOf(new AbortController(), false), { read: async () => 'done' })).toBe('done');
    const read = async () => Promise.reject(new Problem('not-found', 'Gone.'));
    expect(await wait(sessionOf(new AbortController(), false), { read })).toMatchObject({
      reason: 'not-found',
    });
  });

  it.each([true, false])('stops when it is interrupted (embedded store: %s)', async (isStore) => {
    const controller = new AbortController();
    const waiting = wait(sessionOf(controller, isStore));
    controller.abort();
    expect(await waiting).toMatchObject({ reason: 'interrupted' });
  });
});
