import { isEmpty, type Action, type PlanDocument, type Step } from '../../manifest/plan-document.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { code, diffOf, escaped, folded, mostOfComment } from './markdown-parts.ts';
import { leftText, summaryOf, unstatedText } from './plan-text.ts';
import { plannedHead, shownChanges, shownSteps } from './shown-step.ts';

const order: readonly Action[] = ['unsupported', 'delete', 'create', 'adopt', 'update', 'move'];
const titles: Readonly<Record<string, string>> = {
  unsupported: 'Cannot be done here',
  delete: 'Delete',
  create: 'Create',
  adopt: 'Adopt',
  update: 'Update',
  move: 'Move',
};
/** As a diff is colored: what is neither new nor gone stands out as changed. */
const signs: Readonly<Record<string, string>> = {
  create: '+',
  delete: '-',
  adopt: '!',
  update: '!',
  move: '!',
  unsupported: '#',
};

/** A plan as a comment on a pull request. */
export function planMarkdown(document: PlanDocument): string {
  const { organization, place } = document;
  const steps = shownSteps(document.steps);
  const head = `### docsctl plan\n\n${
    isEmpty(document)
      ? 'No changes.'
      : summaryOf(document)
          .trimEnd()
          .replace(/^Plan: /, '')
          .replace(/^./, (letter) => letter.toUpperCase())
  }\n\nOrganization ${code(organization)} on ${code(place)}.\n`;
  const left = [leftText(document), unstatedText(document)]
    .map((text) => (text === '' ? '' : `\n${escaped(text.trimEnd())}\n`))
    .join('');
  let room = mostOfComment - head.length - left.length;
  let text = steps.length === 0 ? '' : tableOf(steps);
  let omitted = 0;
  for (const action of order) {
    const blocks: string[] = [];
    for (const step of steps.filter((one) => one.action === action)) {
      const block = blockOf(step);
      room -= block.length;
      if (room > 0) blocks.push(block);
      else omitted++;
    }
    if (blocks.length > 0)
      text += folded(titles[action]!, blocks, action === 'delete' || action === 'unsupported');
  }
  const more =
    omitted === 0
      ? ''
      : `\n${omitted} more ${omitted === 1 ? 'step is' : 'steps are'} not shown here; \`docsctl plan\` shows all.\n`;
  return `${head}${text}${more}${left}`;
}

/** How many of each kind. */
function tableOf(steps: readonly Step[]): string {
  const actions = order.filter((action) => steps.some((step) => step.action === action));
  const rows = kinds.flatMap(({ name }) => {
    const own = steps.filter(({ kind }) => kind === name);
    return own.length === 0
      ? []
      : [[name, ...actions.map((action) => own.filter((step) => step.action === action).length || '')]];
  });
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |\n`;
  return `\n${line(['', ...actions.map((action) => (action === 'unsupported' ? 'cannot be done' : action))])}${line(['---', ...actions.map(() => '---:')])}${rows.map(line).join('')}`;
}

function blockOf(step: Step): string {
  const at = step.at === undefined ? '' : ` (${escapeControls(step.at)})`;
  const reason = step.reason === undefined ? '' : `#     ${escapeControls(step.reason)}\n`;
  const changes = shownChanges(step).map((change) => {
    const { moved, note } = change;
    return diffOf(
      change,
      note !== undefined
        ? ` (${note})`
        : moved === undefined || moved === 'file'
          ? ''
          : ` (${moved === 'live' ? 'the live side moved' : 'both sides moved'})`,
    );
  });
  const hint = step.hint === undefined ? '' : `#     ${escapeControls(step.hint)}\n`;
  return `${signs[step.action]} ${plannedHead(step)}${at}\n${reason}${changes.join('')}${hint}`;
}
