import { existsSync, statSync } from 'node:fs';
import { violationsOf } from '../../contract/check.ts';
import { parseJson } from '../../contract/limits.ts';
import { recordOf } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { readRegular } from '../../files/read-regular.ts';
import { hasRuns, isRunId, runPath } from './journal-file.ts';
import {
  lineSchemas,
  type BegunStep,
  type EndedStep,
  type JournalLine,
  type RecordedOrder,
  type RunEnd,
  type RunHeader,
  type SentContent,
} from './journal-lines.ts';

/** Limits of a journal that can be shown or undone. */
export const runLimits = { bytes: 64 * 1024 * 1024, steps: 20_000 } as const;

export interface Run {
  readonly head: RunHeader;
  readonly steps: readonly RunStep[];
  /** The orders before and after the run. */
  readonly orders: readonly RecordedOrder[];
  readonly orderEnds: readonly RecordedOrder[];
  /** Absent if the run was killed. */
  readonly end: RunEnd | undefined;
}

export interface RunStep {
  readonly begun: BegunStep;
  /** The ID of the resource that it created. */
  readonly made: string | undefined;
  readonly content: SentContent | undefined;
  readonly ended: EndedStep | undefined;
}

/**
 * Reads the journal of a run.
 * @throws Problem(not-found)
 * @throws Problem(too-large) beyond `runLimits`
 * @throws Problem(invalid-input) if the journal is damaged
 */
export function readRun(folder: string, id: string): Run {
  if (!isRunId(id) || !hasRuns(folder) || !existsSync(runPath(folder, id)))
    throw new Problem('not-found', `Run ${id} does not exist in ${folder}.`, {
      hint: 'List the runs with `docsctl runs list`.',
    });
  const path = runPath(folder, id);
  if (statSync(path).size > runLimits.bytes)
    throw tooLarge(id, `is larger than ${runLimits.bytes / (1024 * 1024)} MiB`);
  const read = readRegular(path, runLimits.bytes);
  if ('refused' in read) throw damaged(id, read.refused);
  return parseRun(id, read.text);
}

/** Parses a journal. An incomplete last line, which a killed run leaves, is ignored. */
export function parseRun(id: string, text: string): Run {
  const texts = text.split('\n');
  const isCut = texts.pop() !== '';
  let count = 0;
  const lines = texts.map((line, index) => {
    const parsed = parseLine(id, line, index + 1);
    if (parsed.type === 'step' && ++count > runLimits.steps)
      throw tooLarge(id, `has more than ${runLimits.steps} steps`);
    return parsed;
  });
  const [head, ...rest] = lines;
  if (head === undefined && isCut) throw damaged(id, 'was cut before its first line ended');
  if (head?.type !== 'run') throw damaged(id, 'does not begin like a journal');
  if (head.id !== id) throw damaged(id, `belongs to run ${JSON.stringify(head.id.slice(0, 80))}`);
  const linesOf = <T extends JournalLine['type']>(type: T) =>
    rest.filter((line): line is Extract<JournalLine, { type: T }> => line.type === type);
  const byKey = <L extends { key: string }>(own: readonly L[]) =>
    new Map(own.map((line) => [line.key, line]));
  const [made, content, ended] = [byKey(linesOf('made')), byKey(linesOf('content')), byKey(linesOf('ended'))];
  const orders = rest.filter((line): line is RecordedOrder => 'holders' in line);
  return {
    head,
    steps: linesOf('step').map((begun) => ({
      begun,
      made: made.get(begun.key)?.id,
      content: content.get(begun.key),
      ended: ended.get(begun.key),
    })),
    orders: orders.filter(({ type }) => type === 'scope'),
    orderEnds: orders.filter(({ type }) => type === 'scope-end'),
    end: linesOf('end')[0],
  };
}

function parseLine(id: string, text: string, number: number): JournalLine {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw damaged(id, `has a line ${number} that is not valid JSON`);
  }
  const { type } = recordOf(value);
  if (typeof type !== 'string' || !Object.hasOwn(lineSchemas, type))
    throw damaged(id, `has a line ${number} that this version of docsctl does not know`);
  const [wrong] = violationsOf(lineSchemas[type as keyof typeof lineSchemas], value, '');
  if (wrong !== undefined)
    throw damaged(id, `has an invalid line ${number}: ${wrong.path || '/'} ${wrong.message}`);
  return value as JournalLine;
}

function tooLarge(id: string, what: string): Problem {
  return new Problem('too-large', `The journal of run ${id} ${what}.`, {
    hint: 'It cannot be shown or undone. To go back, apply the earlier version of the manifest.',
  });
}

function damaged(id: string, what: string): Problem {
  return new Problem('invalid-input', `The journal of run ${id} ${what}.`, {
    hint: 'It cannot be shown or undone. List the other runs with `docsctl runs list`.',
  });
}
