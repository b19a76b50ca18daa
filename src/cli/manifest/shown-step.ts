import { kinds } from '../../manifest/kinds/index.ts';
import type { Action, Change, Step } from '../../manifest/plan-document.ts';
import { hunksOf } from '../output/diff.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { valueLines, valueText } from './value-text.ts';

/** A field of a step, ready to be shown: on one line, or as the lines that differ. */
export interface ShownChange {
  readonly field: string;
  /** Absent where there was nothing, or the API does not show it. */
  readonly before: string | undefined;
  readonly after: string;
  /** Who moved since the last apply; absent for what is new. */
  readonly moved: Change['moved'] | undefined;
  /** In place of `before` and `after` where these are long. */
  readonly lines: readonly ShownLine[] | undefined;
  /** What else there is to know of it. */
  readonly note?: string;
}

export interface ShownLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** What is longer than this, in characters, does not stand on one line. */
const wide = 100;
/** Lines shown of what differs in one field. */
const mostLines = 40;
/** Lines shown of a value that is new, gone, or another one as a whole. */
const mostOfWhole = 8;

export const signs: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  adopt: '=',
  move: '→',
  delete: '-',
  unsupported: '!',
  none: ' ',
};

/** The steps that a plan shows: those that do something, and those that cannot. */
export function shownSteps(steps: readonly Step[]): Step[] {
  return steps.filter(({ action }) => action !== 'none');
}

/** One line on a step: its address, its title, and what there is to know beside its fields. */
export function headOf({ key, address, name, action, id, gone, restores, beside, drops = [] }: Step): string {
  const title =
    name === address || address.endsWith(`/${name}`) || address.endsWith(`.${name}`)
      ? []
      : [JSON.stringify(name)];
  const notes = [
    ...(beside === undefined
      ? []
      : 'before' in beside
        ? [`before ${beside.before}`]
        : [`after ${beside.after}`]),
    ...((action === 'adopt' || action === 'delete') && id !== undefined ? [`(${id})`] : []),
    ...(restores === undefined ? [] : [`(${restores} is brought back)`]),
    ...(gone === undefined ? [] : [`(${gone} is no longer there)`]),
    ...(drops.length === 0 ? [] : [action === 'delete' ? `with ${some(drops)}` : `(was ${some(drops)})`]),
  ];
  return escapeControls([key, ...title, ...notes].join(' '));
}

/** The same in a plan, with what a person should know before it is done. */
export function plannedHead(step: Step): string {
  const canReturn =
    step.action === 'delete' && kinds.find(({ name }) => name === step.kind)?.restore !== undefined;
  return [
    headOf(step),
    ...(step.late === true ? ['when all inside it is done'] : []),
    ...(canReturn ? ['can be restored for 7 days'] : []),
  ].join('; ');
}

/** The first few of many, and how many more there are. */
export function some(items: readonly string[], most = 10): string {
  return `${items.slice(0, most).join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`;
}

/** The fields of a step; of what has no id, nobody moved. */
export function shownChanges({
  changes,
  id,
  protect,
  protectWas,
}: Pick<Step, 'changes' | 'id' | 'protect' | 'protectWas'>): ShownChange[] {
  const lifted: ShownChange[] =
    protectWas === undefined
      ? []
      : [
          {
            field: 'protect',
            before: String(protectWas),
            after: String(protect),
            moved: undefined,
            lines: undefined,
            note: 'lock only',
          },
        ];
  return [...changes.map((change) => shownChange(change, id === undefined)), ...lifted];
}

function shownChange({ field, before, after, moved, says }: Change, isNew: boolean): ShownChange {
  if (says !== undefined)
    return {
      field,
      before: undefined,
      after: escapeControls(says),
      moved: isNew ? undefined : moved,
      lines: undefined,
    };
  const texts = {
    field,
    before: before === undefined ? undefined : escapeControls(valueText(before)),
    after: escapeControls(valueText(after)),
    moved: isNew ? undefined : moved,
  };
  const isLong = [before, after].some(
    (value) => valueText(value).length > wide || (typeof value === 'string' && value.includes('\n')),
  );
  return { ...texts, lines: isLong ? linesOf(before, after) : undefined };
}

function linesOf(before: unknown, after: unknown): ShownLine[] {
  const [old, now] = [valueLines(before), valueLines(after)];
  const whole = (): ShownLine[] => [...wholeLines(before, old, '-'), ...wholeLines(after, now, '+')];
  if (old === '' || now === '') return whole();
  const hunks = hunksOf(old, now, 2);
  const changed = hunks.reduce((sum, { lines }) => sum + lines.filter(({ sign }) => sign !== ' ').length, 0);
  // A certificate in place of another one: no line tells anybody anything.
  if (changed > mostOfWhole && changed > 0.8 * (countLines(old) + countLines(now))) return whole();
  const lines = hunks.flatMap((hunk, index): ShownLine[] => [
    ...(index === 0 ? [] : [{ sign: ' ' as const, text: '…' }]),
    ...hunk.lines.map(({ sign, text }) => ({
      sign,
      text: cut(escapeControls(text.replace(/\r?\n$/, '').replaceAll('\t', '    '))),
    })),
  ]);
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines), { sign: ' ', text: `… ${lines.length - mostLines} more lines` }];
}

/** A whole value: a long text by its first line and its size, a long list by its first items, since JSON has all of it. */
function wholeLines(value: unknown, text: string, sign: '+' | '-'): ShownLine[] {
  if (text === '') return [];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const shown = (line: string): ShownLine => ({
    sign,
    text: cut(escapeControls(line.replaceAll('\t', '    ')), wide),
  });
  if (lines.length <= mostOfWhole) return lines.map(shown);
  if (typeof value !== 'string')
    return [
      ...lines.slice(0, mostOfWhole).map(shown),
      { sign: ' ', text: `… ${lines.length - mostOfWhole} more lines` },
    ];
  return [
    shown(lines[0]!),
    { sign: ' ', text: `… ${lines.length} lines, ${sizeText(Buffer.byteLength(text))}` },
  ];
}

function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

function cut(text: string, most = 400): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

/** Bytes in the unit in which they are easiest to read. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
