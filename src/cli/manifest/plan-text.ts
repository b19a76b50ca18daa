import { groupBy, listSome, plural } from '../../contract/values.ts';
import { isEmpty, type Action, type PlanDocument, type Step } from '../../manifest/plan-document.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Style, Styler } from '../output/style.ts';
import { diffFields, plannedTitle, signs, visibleSteps, type FieldDiff } from './describe-step.ts';

const colors: Readonly<Record<Action, Style>> = {
  create: 'green',
  update: 'yellow',
  adopt: 'cyan',
  move: 'blue',
  delete: 'red',
  unsupported: 'magenta',
  none: 'dim',
};

/** Draws a plan for a terminal or a log. */
export function drawPlan(document: PlanDocument, style: Styler, hasImports = false): string {
  const steps = visibleSteps(document.steps).map((step) => drawStep(step, style));
  return `${steps.length === 0 ? '' : `${steps.join('')}\n`}${summarizePlan(document, hasImports)}${remarksOn(document).join('')}`;
}

/** Returns the sentences about what a plan leaves as it is. */
export function remarksOn(document: PlanDocument): string[] {
  return [
    describeLeft(document),
    describeProtected(document),
    describeUnmanaged(document),
    describeUnstated(document),
    describePending(document),
    describeLeftOut(document),
  ];
}

/** Counts the steps and calls of a plan in one line. */
export function summarizePlan(document: PlanDocument, hasImports: boolean): string {
  const { counts, calls } = document;
  if (isEmpty(document)) return hasImports ? 'Plan: only imports.\n' : 'No changes.\n';
  const rest = counts.none === 0 ? '' : `; ${counts.none} unchanged`;
  const most = calls === 0 ? 'No requests' : `At most ${plural(calls, 'request')}`;
  return `Plan: ${formatCounts(counts, countDropped(document))}${rest}. ${most}.\n`;
}

const words: readonly (readonly [Action, string])[] = [
  ['create', 'to create'],
  ['update', 'to update'],
  ['adopt', 'to adopt'],
  ['move', 'to move'],
  ['delete', 'to delete'],
  ['unsupported', 'cannot be done here'],
];

/** Lists counts that are not zero: `3 to create, 1 to delete (and 2 inside)`. */
export function formatCounts(counts: PlanDocument['counts'], inside = 0): string {
  return words
    .filter(([action]) => counts[action] > 0)
    .map(
      ([action, text]) =>
        `${counts[action]} ${text}${action === 'delete' && inside > 0 ? ` (and ${inside} inside ${counts[action] === 1 ? 'it' : 'them'})` : ''}`,
    )
    .join(', ');
}

/** Counts the resources that are deleted because they are inside a deleted one. */
export function countDropped({ steps }: Pick<PlanDocument, 'steps'>): number {
  return steps.reduce((sum, { action, drops = [] }) => sum + (action === 'delete' ? drops.length : 0), 0);
}

/** Lists the resources that are kept without --prune. */
function describeLeft({ left }: PlanDocument): string {
  if (left.length === 0) return '';
  const names = left.map(({ address, id }) => `${address} (${id})`);
  return `No longer in the manifest, but kept without --prune: ${escapeControls(listSome(names, 10))}.\n`;
}

/** Lists the resources that are kept despite --prune. */
function describeProtected({ protected: kept = [] }: PlanDocument): string {
  if (kept.length === 0) return '';
  const names = kept.map(({ address, id }) => `${address} (${id})`);
  return `No longer in the manifest, but protected: ${escapeControls(listSome(names, 10))}.\n`;
}

/** Lists the resources that are kept even with --prune because the manifest has no field for their kind: one line per field. */
function describeUnmanaged({ unmanaged = [] }: PlanDocument): string {
  const byField = groupBy(unmanaged, ({ parent = 'the manifest', field }) => `${parent} has no "${field}"`);
  return [...byField]
    .map(([reason, entries]) => {
      const names = entries.map(({ address, id }) => `${address} (${id})`);
      const [{ field, empty }] = entries;
      return `Kept even with --prune, because ${escapeControls(reason)}: ${escapeControls(listSome(names, 10))}. To delete with --prune, write "${field}: ${empty}" there.\n`;
    })
    .join('');
}

/** Lists the fields that blocks no longer state. */
function describeUnstated({ unstated = [] }: PlanDocument): string {
  if (unstated.length === 0) return '';
  const names = unstated.map(({ address, field }) => `${address} ${field}`);
  return `No longer in the manifest, value kept: ${escapeControls(listSome(names, 10))}.\n`;
}

/** Lists the people who were invited and have not joined yet. */
function describePending({ pending = [] }: PlanDocument): string {
  if (pending.length === 0) return '';
  return `Invited, but not a member yet: ${escapeControls(listSome(pending, 10))}.\n`;
}

/** Lists the resources with changes that --only and --exclude leave out. */
function describeLeftOut({ leftOut = [] }: PlanDocument): string {
  if (leftOut.length === 0) return '';
  return `Changes left out by --only or --exclude: ${escapeControls(listSome(leftOut, 10))}.\n`;
}

function drawStep(step: Step, style: Styler): string {
  const at = step.at === undefined ? '' : `  ${style(escapeControls(step.at), ['dim'])}`;
  const reason = step.reason === undefined ? '' : `    ${escapeControls(step.reason)}\n`;
  const hint = step.hint === undefined ? '' : `    ${style(escapeControls(step.hint), ['dim'])}\n`;
  const fields = diffFields(step).map((diff) => drawField(diff, style));
  return `${drawTitle(step.action, plannedTitle(step), style)}${at}\n${reason}${fields.join('')}${hint}`;
}

/** Draws the title of a step after the sign of its action. */
export function drawTitle(action: Action, title: string, style: Styler): string {
  return `${style(signs[action], ['bold', colors[action]])} ${style(title, [colors[action]])}`;
}

/** Returns a note if the live value has changed since the last apply; undefined if only the file has changed. */
export function movedNote(moved: FieldDiff['moved']): string | undefined {
  if (moved === undefined || moved === 'file') return undefined;
  return moved === 'live' ? 'changed in the organization' : 'changed in the file and in the organization';
}

/** Draws a field: its values on one line, or the differing lines. */
export function drawField({ field, before, after, moved, lines, note }: FieldDiff, style: Styler): string {
  const remark = note ?? movedNote(moved);
  const color = note === undefined ? 'yellow' : 'dim';
  const suffix = remark === undefined ? '' : ` ${style(`(${escapeControls(remark)})`, [color])}`;
  if (lines === undefined) {
    const values =
      before === undefined
        ? style(after, ['green'])
        : `${style(before, ['red'])} → ${style(after, ['green'])}`;
    return `    ${field}: ${values}${suffix}\n`;
  }
  const drawn = lines.map(({ sign, text }) =>
    sign === ' ' ? `  ${text}`.trimEnd() : style(`${sign} ${text}`, [sign === '+' ? 'green' : 'red']),
  );
  return `    ${field}:${suffix}\n${drawn.map((line) => `      ${line}\n`).join('')}`;
}
