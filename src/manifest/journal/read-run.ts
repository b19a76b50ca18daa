import { existsSync, statSync } from 'node:fs';
import { violationsOf } from '../../contract/check.ts';
import { checkDepth } from '../../contract/limits.ts';
import { Problem } from '../../errors/problem.ts';
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
import { readRegular } from '../../files/read-regular.ts';

/** Limits of a journal that is shown or undone. */
export const runLimits = { bytes: 64 * 1024 * 1024, steps: 20_000 } as const;

/** What a run did, as far as its journal goes. */
export interface Run {
  readonly head: RunHeader;
  readonly steps: readonly RunStep[];
  /** Orders before the run. */
  readonly orders: readonly RecordedOrder[];
  /** Orders after it. */
  readonly orderEnds: readonly RecordedOrder[];
  /** Absent where the run was killed. */
  readonly end: RunEnd | undefined;
}

export interface RunStep {
  readonly begun: BegunStep;
  /** Id of what it created. */
  readonly made: string | undefined;
  readonly content: SentContent | undefined;
  /** Absent where the run was killed in the middle of the step. */
  readonly ended: EndedStep | undefined;
}

/**
 * Reads the journal of a run.
 *
 * @throws Problem(not-found)
 * @throws Problem(too-large) beyond `runLimits`
 * @throws Problem(invalid-input) where the journal is damaged
 */
export function readRun(folder: string, id: string): Run {
  if (!isRunId(id) || !hasRuns(folder) || !existsSync(runPath(folder, id)))
    throw new Problem('not-found', `There is no run ${id} in ${folder}.`, {
      hint: '`docsctl runs list` shows them.',
    });
  const path = runPath(folder, id);
  if (statSync(path).size > runLimits.bytes)
    throw tooLarge(id, `is larger than ${runLimits.bytes / (1024 * 1024)} MiB`);
  const read = readRegular(path, runLimits.bytes);
  if ('refused' in read) throw damaged(id, read.refused);
  return parseRun(id, read.text);
}

/** Parses the journal of a run. Its last line is left out where it is cut, because the run was killed. */
export function parseRun(id: string, text: string): Run {
  const lines = text.split('\n');
  const cut = lines.pop() !== '';
  let steps = 0;
  const parsed = lines.map((line, index) => {
    const parsedLine = parseLine(id, line, index + 1);
    if (parsedLine.type === 'step' && ++steps > runLimits.steps)
      throw tooLarge(id, `has more than ${runLimits.steps} steps`);
    return parsedLine;
  });
  const [head, ...rest] = parsed;
  if (head?.type !== 'run')
    throw damaged(
      id,
      cut && parsed.length === 0 ? 'was cut before its first line ended' : 'does not begin as one',
    );
  if (head.id !== id) throw damaged(id, `says that it is of run ${JSON.stringify(head.id.slice(0, 80))}`);
  const linesOf = <T extends JournalLine['type']>(type: T) =>
    rest.filter((line): line is Extract<JournalLine, { readonly type: T }> => line.type === type);
  const byKey = <L extends { readonly key: string }>(own: readonly L[]) =>
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
    checkDepth(text);
    value = JSON.parse(text);
  } catch {
    throw damaged(id, `has a line ${number} that is not valid JSON`);
  }
  const type = (value as { readonly type?: unknown } | null)?.type;
  const schema =
    typeof type === 'string' && Object.hasOwn(lineSchemas, type)
      ? lineSchemas[type as keyof typeof lineSchemas]
      : undefined;
  if (schema === undefined) throw damaged(id, `has a line ${number} that this docsctl does not know`);
  const [wrong] = violationsOf(schema, value, '');
  if (wrong !== undefined)
    throw damaged(id, `has a wrong line ${number}: ${wrong.path || '/'} ${wrong.message}`);
  return value as JournalLine;
}

function tooLarge(id: string, what: string): Problem {
  return new Problem('too-large', `The journal of run ${id} ${what}.`, {
    hint: 'It can be neither shown nor undone; to go back, apply the manifest as it was before that run.',
  });
}

function damaged(id: string, what: string): Problem {
  return new Problem('invalid-input', `The journal of run ${id} ${what}.`, {
    hint: 'It cannot be shown or undone; `docsctl runs list` shows the others.',
  });
}
