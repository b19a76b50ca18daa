import { isEmpty, type Action, type PlanDocument, type Step } from '../../manifest/plan-document.ts';
import type { Styler, Style } from '../output/style.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { plannedHead, shownChanges, shownSteps, signs, some, type ShownChange } from './shown-step.ts';

const colors: Readonly<Record<Action, Style>> = {
  create: 'green',
  update: 'yellow',
  adopt: 'cyan',
  move: 'blue',
  delete: 'red',
  unsupported: 'magenta',
  none: 'dim',
};

/** A plan for a person to read. */
export function planText(document: PlanDocument, ink: Styler): string {
  const steps = shownSteps(document.steps).map((step) => stepText(step, ink));
  return `${steps.length === 0 ? '' : `${steps.join('')}\n`}${summaryOf(document)}${leftText(document)}${unstatedText(document)}`;
}

/** What a plan comes to, in one line. */
export function summaryOf(document: PlanDocument): string {
  const { counts, calls } = document;
  const rest = counts.none === 0 ? '' : `; ${counts.none} as ${counts.none === 1 ? 'it is' : 'they are'}`;
  if (isEmpty(document)) return 'No changes.\n';
  return `Plan: ${countsText(counts, insideDeletes(document))}${rest}. ${calls === 0 ? 'No calls' : `At most ${calls} ${calls === 1 ? 'call' : 'calls'}`}.\n`;
}

const words: readonly (readonly [Action, string])[] = [
  ['create', 'to create'],
  ['update', 'to update'],
  ['adopt', 'to adopt'],
  ['move', 'to move'],
  ['delete', 'to delete'],
  ['unsupported', 'cannot be done here'],
];

/** `3 to create, 1 to delete (and 2 inside)`: what there is none of is left out. */
export function countsText(counts: PlanDocument['counts'], inside = 0): string {
  return words
    .filter(([action]) => counts[action] > 0)
    .map(
      ([action, text]) =>
        `${counts[action]} ${text}${action === 'delete' && inside > 0 ? ` (and ${inside} inside)` : ''}`,
    )
    .join(', ');
}

/** Resources that go because what they lie in is deleted. */
export function insideDeletes({ steps }: Pick<PlanDocument, 'steps'>): number {
  return steps.reduce((sum, { action, drops = [] }) => sum + (action === 'delete' ? drops.length : 0), 0);
}

/** What stays without --prune. */
export function leftText({ left }: PlanDocument): string {
  if (left.length === 0) return '';
  return `No longer in the manifest, and kept without --prune: ${escapeControls(some(left.map(({ address, id }) => `${address} (${id})`)))}.\n`;
}

/** Fields that the blocks no longer state. */
export function unstatedText({ unstated = [] }: PlanDocument): string {
  if (unstated.length === 0) return '';
  return `No longer stated, left as it is: ${escapeControls(some(unstated.map(({ address, field }) => `${address} ${field}`)))}.\n`;
}

function stepText(step: Step, ink: Styler): string {
  const color = colors[step.action];
  const at = step.at === undefined ? '' : `  ${ink(escapeControls(step.at), ['dim'])}`;
  const reason = step.reason === undefined ? '' : `    ${escapeControls(step.reason)}\n`;
  const hint = step.hint === undefined ? '' : `    ${ink(escapeControls(step.hint), ['dim'])}\n`;
  return `${ink(signs[step.action], ['bold', color])} ${ink(plannedHead(step), [color])}${at}\n${reason}${shownChanges(
    step,
  )
    .map((change) => changeText(change, ink))
    .join('')}${hint}`;
}

/** One field of a step: on a line of its own, or the lines that differ. */
export function changeText({ field, before, after, moved, lines, note }: ShownChange, ink: Styler): string {
  const who =
    note !== undefined
      ? ` ${ink(`(${escapeControls(note)})`, ['dim'])}`
      : moved === undefined
        ? ''
        : ` ${ink(`(${escapeControls(moved)})`, [moved === 'file' ? 'dim' : 'yellow'])}`;
  if (lines !== undefined) {
    const drawn = lines.map(
      ({ sign, text }) =>
        `      ${sign === ' ' ? `  ${text}`.trimEnd() : ink(`${sign} ${text}`, [sign === '+' ? 'green' : 'red'])}\n`,
    );
    return `    ${field}:${who}\n${drawn.join('')}`;
  }
  const values =
    before === undefined ? ink(after, ['green']) : `${ink(before, ['red'])} → ${ink(after, ['green'])}`;
  return `    ${field}: ${values}${who}\n`;
}
