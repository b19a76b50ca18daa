import { setTimeout } from 'node:timers/promises';
import type { WorkRequest } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { createProgress } from './output/progress.ts';
import type { Session } from './session.ts';

/** Does jobs that are due, with a line of progress; tells what failed. */
export async function doJobs(session: Session, filter: Omit<WorkRequest, 'signal' | 'onEvent'>): Promise<{ done: number; failed: number; later: number }> {
  const { runtime, terminal, note } = session;
  const api = await session.api();
  const counts = { done: 0, failed: 0, later: 0 };
  const progress = createProgress(terminal, { label: 'jobs', clock: runtime.clock });
  try {
    await api.work?.({
      ...filter,
      signal: runtime.signal,
      onEvent: ({ kind, subject, progress: text, end, problem }) => {
        if (end === undefined) return progress.note(`${kind} ${subject}: ${text ?? ''}`);
        progress.tick();
        if (end === 'done' || end === 'again') counts.done++;
        if (end === 'failed' || end === 'later') counts[end]++;
        if (problem === undefined) return;
        progress.done();
        note(`${end === 'failed' ? 'failed' : 'will try again'}: ${kind} ${subject}: ${problem.message}`);
      },
    });
  } finally {
    progress.done();
  }
  if (runtime.signal.aborted) throw new Problem('interrupted', 'Stopped by a signal; what was not done waits.', { hint: 'docsctl jobs run goes on.' });
  return counts;
}

export interface Waiting<T> {
  /** Whose jobs it waits for. */
  readonly kind: string;
  readonly subject: string;
  /** How it is now. */
  readonly look: () => Promise<T>;
  readonly isDone: (value: T) => boolean;
  /** How far it is, for the line of progress. */
  readonly describe?: (value: T) => string;
}

/** Milliseconds between two looks at a server: quick at first. */
const pauses = { first: 200, longest: 3000 };

/** Returns when the work on something is done: does it here where the store is here, else asks the server again and again. */
export async function waitFor<T>(session: Session, { kind, subject, look, isDone, describe }: Waiting<T>): Promise<T> {
  const { runtime, terminal } = session;
  const progress = createProgress(terminal, { label: 'waited', clock: runtime.clock });
  try {
    for (let pause = pauses.first; ; pause = Math.min(pauses.longest, pause * 1.5)) {
      const api = await session.api();
      if (api.work !== undefined) await doJobs(session, { kind, subject });
      const value = await look();
      if (isDone(value)) return value;
      progress.tick();
      progress.note(describe?.(value) ?? '');
      await setTimeout(pause, undefined, { signal: runtime.signal }).catch(() => {});
      if (runtime.signal.aborted) throw new Problem('interrupted', 'Stopped waiting; the work goes on where it is done.', { hint: `docsctl jobs get ${kind}.${subject}` });
    }
  } finally {
    progress.done();
  }
}
