import { isRecord, listSome, plural } from '../../contract/values.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import type { Action, Change, Step } from '../../manifest/plan-document.ts';
import { isReference, isSame } from '../../manifest/value.ts';
import { hunksOf } from '../../richtext/diff-hunks.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { nameText, valueLines, valueText } from './value-text.ts';

/** A field that differs, formatted on one line or as differing lines. */
export interface FieldDiff {
  readonly field: string;
  /** Undefined for a new field, or one that the API does not show. */
  readonly before: string | undefined;
  readonly after: string;
  /** The side that has changed since the last apply; undefined for a new resource. */
  readonly moved: Change['moved'] | undefined;
  /** Shown instead of long values. */
  readonly lines: readonly DiffLine[] | undefined;
  /** Shown instead of `moved`. */
  readonly note?: string;
}

interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** Maximum characters of a value on one line. */
const maxInline = 100;
/** Maximum characters of a map or list that is compared as a whole inside another map. */
const maxInlineInside = 60;
/** Maximum characters of a line. Longer lines are cut. */
const maxLineLength = 400;
/** Maximum number of lines of a field. */
const maxLines = 40;
/** Maximum number of lines of a value that is added, removed, or replaced as a whole. */
const maxWholeLines = 8;

export const signs: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  adopt: '=',
  move: '→',
  delete: '-',
  unsupported: '!',
  none: ' ',
};

/** Returns the steps that a plan shows: those with changes, and unsupported ones. */
export function visibleSteps(steps: readonly Step[]): Step[] {
  return steps.filter(({ action }) => action !== 'none');
}

/** Returns the name of a step: its address, and the part of the work if there are several: `site.docs (at the end)`. */
export function stepName({ key }: Pick<Step, 'key'>): string {
  return key.replace(/ \(last\)$/, ' (at the end)');
}

/** Returns the title of a step: its address, its name, and remarks about the whole step. */
export function stepTitle(step: Pick<Step, 'key' | 'address' | 'name' | 'action'> & Partial<Step>): string {
  const { address, name, action, id, gone, restores, beside, drops = [] } = step;
  const parts = [
    stepName(step),
    ...quoteTitle(address, name),
    ...Object.entries(beside ?? {}).map(([side, neighbor]) => `${side} ${neighbor}`),
    ...((action === 'adopt' || action === 'delete') && id !== undefined ? [`(${id})`] : []),
    ...(restores === undefined ? [] : [`(restores ${restores})`]),
    ...(gone === undefined ? [] : [`(${gone} no longer exists)`]),
  ];
  if (drops.length > 0)
    parts.push(action === 'delete' ? `with ${listSome(drops, 10)}` : `(was ${listSome(drops, 10)})`);
  return escapeControls(parts.join(' '));
}

/** Returns the title of a planned step, with remarks that are important before it is done. */
export function plannedTitle(step: Step): string {
  const canReturn =
    step.action === 'delete' && kinds.find(({ name }) => name === step.kind)?.restore !== undefined;
  return [
    stepTitle(step),
    ...(step.late === true && hasInside(step.kind) ? ['after everything inside it'] : []),
    ...(canReturn ? ['can be restored for 7 days'] : []),
  ].join('; ');
}

function hasInside(kind: string): boolean {
  return kinds.some(({ slots }) => slots.some(({ within }) => within === kind));
}

/** Quotes the name of a resource, unless its address ends with the name. */
export function quoteTitle(address: string, name: string): string[] {
  const isSaid = name === address || address.endsWith(`/${name}`) || address.endsWith(`.${name}`);
  return isSaid ? [] : [JSON.stringify(name)];
}

/** Describes what cannot be read: a kind, a field, or all fields that name people. */
export function nameUnreadable(what: string): string {
  return what === 'member' ? 'everything that names members' : what;
}

/** Returns the differences between fields of a step, including its protection in the state file. */
export function diffFields({
  changes,
  id,
  protect,
  protectWas,
}: Pick<Step, 'changes' | 'id' | 'protect' | 'protectWas'>): FieldDiff[] {
  const diffs = changes.map((change) => diffField(change, id === undefined));
  if (protectWas === undefined) return diffs;
  const values = { before: String(protectWas), after: String(protect) };
  return [
    ...diffs,
    { field: 'protect', ...values, moved: undefined, lines: undefined, note: 'in the state file only' },
  ];
}

function diffField({ field, before, after, moved: side, says }: Change, isNew: boolean): FieldDiff {
  const moved = isNew ? undefined : side;
  if (says !== undefined)
    return { field, before: undefined, after: escapeControls(says), moved, lines: undefined };
  const isLong = [before, after].some(
    (value) => valueText(value).length > maxInline || (typeof value === 'string' && value.includes('\n')),
  );
  return {
    field,
    before: before === undefined ? undefined : escapeControls(valueText(before)),
    after: escapeControls(valueText(after)),
    moved,
    lines: isLong ? linesOf(before, after) : undefined,
  };
}

function linesOf(before: unknown, after: unknown): DiffLine[] {
  const [old, now] = [valueLines(before), valueLines(after)];
  const whole = (): DiffLine[] => [...wholeLines(before, old, '-'), ...wholeLines(after, now, '+')];
  if (isMap(before) && isMap(after) && Object.keys(after).length > 0)
    return cutLines(mapLines(before, after), maxLines);
  if (old === '' || now === '') return whole();
  const hunks = hunksOf(old, now, 2);
  const changed = hunks.reduce((sum, { lines }) => sum + lines.filter(({ sign }) => sign !== ' ').length, 0);
  // Almost everything changed, as in a replaced certificate, so the changed lines are not useful.
  if (changed > maxWholeLines && changed > 0.8 * (countLines(old) + countLines(now))) return whole();
  const lines = hunks.flatMap((hunk, index): DiffLine[] => [
    ...(index === 0 ? [] : [{ sign: ' ' as const, text: '…' }]),
    ...hunk.lines.map(({ sign, text }) => ({
      sign,
      text: clean(text.replace(/\r?\n$/, ''), maxLineLength),
    })),
  ]);
  return cutLines(lines, maxLines);
}

/** Compares two maps by the fields inside them. The name of a line is the path of the field that differs. */
function mapLines(before: FieldMap, after: FieldMap, within = ''): DiffLine[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.flatMap((name): DiffLine[] => {
    const [old, now] = [before[name], after[name]];
    const path = `${within}${nameText(name)}`;
    if (isSame(old, now) && (old === undefined) === (now === undefined)) return [];
    const isLong = [old, now].some((value) => valueText(value).length > maxInlineInside);
    if (isLong && isMap(old) && isMap(now)) return mapLines(old, now, `${path}.`);
    const line = (sign: '-' | '+', text: string): DiffLine => ({
      sign,
      text: clean(`${path}: ${text}`, maxLineLength),
    });
    if (isLong && Array.isArray(old) && Array.isArray(now))
      return hunksOf(valueLines(old), valueLines(now), 0).flatMap((hunk) =>
        hunk.lines.flatMap(({ sign, text }) => (sign === ' ' ? [] : [line(sign, text.trimEnd())])),
      );
    return [
      ...(old === undefined ? [] : [line('-', valueText(old))]),
      ...(now === undefined ? [] : [line('+', valueText(now))]),
    ];
  });
}

type FieldMap = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is FieldMap {
  return isRecord(value) && !isReference(value);
}

/** Formats a whole value: a long text as its first line and size, a long list as its first items. */
function wholeLines(value: unknown, text: string, sign: '+' | '-'): DiffLine[] {
  if (text === '') return [];
  const lines = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line): DiffLine => ({ sign, text: clean(line, maxInline) }));
  if (lines.length <= maxWholeLines || typeof value !== 'string') return cutLines(lines, maxWholeLines);
  const size = formatBytes(Buffer.byteLength(text));
  return [...lines.slice(0, 1), { sign: ' ', text: `… ${lines.length} lines, ${size}` }];
}

function cutLines(lines: DiffLine[], max: number): DiffLine[] {
  if (lines.length <= max) return lines;
  return [...lines.slice(0, max), { sign: ' ', text: `… ${lines.length - max} more lines` }];
}

function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

/** Escapes a line, and cuts it. */
function clean(line: string, max: number): string {
  const text = escapeControls(line.replaceAll('\t', '    '));
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length} characters)`;
}

/** Formats a number of bytes with a suitable unit: `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return unit === 0 ? plural(value, 'byte') : `${value.toFixed(1)} ${units[unit]}`;
}
