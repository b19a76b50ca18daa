import { kinds } from '../../manifest/kinds/index.ts';
import type { Action, PlanDocument, Step } from '../../manifest/plan-document.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { diffFields, plannedTitle, visibleSteps } from './describe-step.ts';
import { writeFieldDiff, writeMarkdownReport } from './markdown-report.ts';
import { movedNote, remarksOn, summarizePlan } from './plan-text.ts';

/** The actions in the order of the report. In a diff, `+` and `-` are colored; `!` is for other actions. */
const groups: readonly { action: Action; title: string; sign: string }[] = [
  { action: 'unsupported', title: 'Cannot be done here', sign: '#' },
  { action: 'delete', title: 'Delete', sign: '-' },
  { action: 'create', title: 'Create', sign: '+' },
  { action: 'adopt', title: 'Adopt', sign: '!' },
  { action: 'update', title: 'Update', sign: '!' },
  { action: 'move', title: 'Move', sign: '!' },
];

/** Writes a plan as a comment on a pull request. */
export function planMarkdown(document: PlanDocument, hasImports = false): string {
  const { organization, place } = document;
  const steps = visibleSteps(document.steps);
  return writeMarkdownReport({
    command: 'plan',
    summary: summarizePlan(document, hasImports)
      .trimEnd()
      .replace(/^Plan: /, ''),
    organization,
    place,
    table: steps.length === 0 ? '' : tableOf(steps),
    groups: groups.map(({ action, title, sign }) => ({
      title,
      blocks: steps.filter((step) => step.action === action).map((step) => writeStep(step, sign)),
      isOpen: action === 'delete' || action === 'unsupported',
    })),
    noun: 'step',
    remarks: remarksOn(document)
      .map((remark) => remark.trimEnd())
      .filter((remark) => remark !== ''),
  });
}

function tableOf(steps: readonly Step[]): string {
  const actions = groups
    .map(({ action }) => action)
    .filter((action) => steps.some((step) => step.action === action));
  const rows = kinds.flatMap(({ name }) => {
    const own = steps.filter(({ kind }) => kind === name);
    const counts = actions.map((action) => own.filter((step) => step.action === action).length || '');
    return own.length === 0 ? [] : [[name, ...counts]];
  });
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |\n`;
  const headings = actions.map((action) => (action === 'unsupported' ? 'cannot be done' : action));
  return `\n${line(['', ...headings])}${line(['---', ...actions.map(() => '---:')])}${rows.map(line).join('')}`;
}

function writeStep(step: Step, sign: string): string {
  const at = step.at === undefined ? '' : ` (${escapeControls(step.at)})`;
  const comment = (text: string | undefined) => (text === undefined ? '' : `#     ${escapeControls(text)}\n`);
  const fields = diffFields(step).map((diff) => writeFieldDiff(diff, noteOf(diff)));
  return `${sign} ${plannedTitle(step)}${at}\n${comment(step.reason)}${fields.join('')}${comment(step.hint)}`;
}

function noteOf({ moved, note }: ReturnType<typeof diffFields>[number]): string {
  const remark = note ?? movedNote(moved);
  return remark === undefined ? '' : ` (${remark})`;
}
