import { Problem } from '../../errors/problem.ts';
import { listRunIds, runPath } from './journal-file.ts';
import type { RunHeader } from './journal-lines.ts';
import { parseRun, runLimits, type Run } from './read-run.ts';
import { readRegular } from '../../files/read-regular.ts';

/** Bytes of a journal that is listed; more than of one that is undone, since little of it is parsed. */
const limit = 256 * 1024 * 1024;

/** A run in one line. */
export interface RunSummary {
  readonly head: RunHeader;
  /** `open`: it was killed, or is at work still. */
  readonly ended: 'done' | 'failed' | 'interrupted' | 'open';
  /** Steps that were done, by their action. */
  readonly did: Readonly<Record<string, number>>;
  readonly failed: number;
  /** Steps that wait for approval. */
  readonly waiting: number;
  /** The run that undid it, where that was not undone itself. */
  readonly undoneBy: string | undefined;
}

export interface Summaries {
  /** The newest first. */
  readonly runs: readonly RunSummary[];
  /** Journals that cannot be read, and why. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** All runs of a folder; of those that ended only the first and the last line are looked at. */
export function summarizeRuns(folder: string): Summaries {
  const unreadable = new Map<string, string>();
  const runs: Omit<RunSummary, 'undoneBy'>[] = [];
  for (const id of listRunIds(folder)) {
    try {
      runs.push(summarize(folder, id));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      unreadable.set(id, error.message);
    }
  }
  const undoneBy = new Map<string, string>();
  // The newest first: an undo that was undone undoes nothing.
  for (const { head, did, failed } of runs) {
    const isDone = failed === 0 || Object.keys(did).length > 0;
    if (head.undoes !== undefined && !undoneBy.has(head.id) && isDone) undoneBy.set(head.undoes, head.id);
  }
  return { runs: runs.map((run) => ({ ...run, undoneBy: undoneBy.get(run.head.id) })), unreadable };
}

function summarize(folder: string, id: string): Omit<RunSummary, 'undoneBy'> {
  const read = readRegular(runPath(folder, id), limit);
  if ('refused' in read) throw new Problem('invalid-input', `The journal of run ${id} ${read.refused}.`);
  const { text, bytes } = read;
  const first = text.slice(0, text.indexOf('\n') + 1);
  const last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  const isEnded = last !== first && last.startsWith('{"type":"end"');
  // One too large to be undone is listed still: the run before it is not the newest.
  const run = parseRun(id, isEnded ? `${first}${last}` : isTooLarge(text, bytes) ? first : text);
  const counted = (status: string): number =>
    run.end === undefined
      ? run.steps.filter(({ ended }) => ended?.status === status).length
      : (run.end.counts[status] ?? 0);
  return {
    head: run.head,
    ended: run.end?.how ?? 'open',
    did: run.end?.did ?? didSoFar(run),
    failed: counted('failed'),
    waiting: counted('waiting'),
  };
}

function isTooLarge(text: string, bytes: number): boolean {
  if (bytes > runLimits.bytes) return true;
  let steps = 0;
  for (
    let at = text.indexOf('\n{"type":"step"');
    at !== -1 && steps <= runLimits.steps;
    at = text.indexOf('\n{"type":"step"', at + 1)
  )
    steps++;
  return steps > runLimits.steps;
}

function didSoFar({ steps }: Run): Record<string, number> {
  const did: Record<string, number> = {};
  for (const { begun, ended } of steps)
    if (ended?.status === 'done' && begun.action !== 'none') did[begun.action] = (did[begun.action] ?? 0) + 1;
  return did;
}

/** The run that is undone where none is named: the newest of this organization that is no undo and was not undone. */
export function newestToUndo({ runs }: Summaries, place: string, organization: string): string | undefined {
  return runs.find(
    ({ head, undoneBy }) =>
      head.undoes === undefined &&
      undoneBy === undefined &&
      head.place === place &&
      head.organization === organization,
  )?.head.id;
}
