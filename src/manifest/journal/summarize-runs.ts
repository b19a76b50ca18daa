import { Problem } from '../../errors/problem.ts';
import { readRegular } from '../../files/read-regular.ts';
import { listRunIds, runPath } from './journal-file.ts';
import type { RunEnd, RunHeader } from './journal-lines.ts';
import { parseRun, runLimits, type Run } from './read-run.ts';

/**
 * Maximum size of a journal that is listed, in bytes. It is larger than that of a journal that can be undone, because only a
 * small part is parsed.
 */
const maxBytes = 256 * 1024 * 1024;

interface RunSummary {
  readonly head: RunHeader;
  /** `open`: it was killed, or it is still running. */
  readonly ended: 'done' | 'failed' | 'interrupted' | 'open';
  /** The number of steps that were done, by action. */
  readonly did: Readonly<Record<string, number>>;
  readonly failed: number;
  /** Number of steps that wait for approval. */
  readonly waiting: number;
  /** The ID of the run that undid it, unless that run was undone. */
  readonly undoneBy: string | undefined;
}

interface Summaries {
  /** The newest run first. */
  readonly runs: readonly RunSummary[];
  /** The reasons why journals cannot be read, by ID. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Summarizes the runs in a folder. For a run that ended, only the first and the last line are parsed. */
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
  // Starts with the newest run, because an undo that was undone has no effect.
  for (const { head, did, failed } of runs) {
    const isDone = failed === 0 || Object.keys(did).length > 0;
    if (head.undoes !== undefined && !undoneBy.has(head.id) && isDone) undoneBy.set(head.undoes, head.id);
  }
  return { runs: runs.map((run) => ({ ...run, undoneBy: undoneBy.get(run.head.id) })), unreadable };
}

function summarize(folder: string, id: string): Omit<RunSummary, 'undoneBy'> {
  const read = readRegular(runPath(folder, id), maxBytes);
  if ('refused' in read) throw new Problem('invalid-input', `The journal of run ${id} ${read.refused}.`);
  const { text, bytes } = read;
  const first = text.slice(0, text.indexOf('\n') + 1);
  const last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  const isEnded = last !== first && last.startsWith('{"type":"end"');
  const maxSteps = runLimits.steps;
  const isTooLarge =
    bytes > runLimits.bytes || text.split('\n{"type":"step"', maxSteps + 2).length - 1 > maxSteps;
  // A journal that is too large to be undone is still listed. Otherwise the run before it would seem to be the newest.
  const run = parseRun(id, isEnded ? `${first}${last}` : isTooLarge ? first : text);
  const { counts, did } = run.end ?? countSteps(run);
  const { failed = 0, waiting = 0 } = counts;
  return { head: run.head, ended: run.end?.how ?? 'open', did, failed, waiting };
}

function countSteps({ steps }: Run): Pick<RunEnd, 'counts' | 'did'> {
  const counts: Record<string, number> = {};
  const did: Record<string, number> = {};
  for (const { begun, ended } of steps) {
    if (ended === undefined) continue;
    counts[ended.status] = (counts[ended.status] ?? 0) + 1;
    if (ended.status === 'done' && begun.action !== 'none') did[begun.action] = (did[begun.action] ?? 0) + 1;
  }
  return { counts, did };
}

/**
 * Returns the ID of the newest run of an organization that is not an undo and was not undone. A run that undoes an undo does not
 * count: it repeats the changes of the first run, with new resources.
 */
export function newestToUndo({ runs }: Summaries, place: string, organization: string): string | undefined {
  const targets = new Map(runs.map(({ head }) => [head.id, head.undoes]));
  const isUndo = (id: string): boolean => {
    const target = targets.get(id);
    return target !== undefined && !isUndo(target);
  };
  return runs.find(
    ({ head, undoneBy }) =>
      !isUndo(head.id) &&
      undoneBy === undefined &&
      head.place === place &&
      head.organization === organization,
  )?.head.id;
}
