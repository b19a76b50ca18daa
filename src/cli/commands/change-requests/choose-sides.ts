import { shellWord } from '../../../contract/shell-word.ts';
import { Problem, type Violation } from '../../../errors/problem.ts';
import type { MarkerLabels } from '../../../richtext/conflict-markers.ts';
import type { Session } from '../../session/session.ts';
import { editText } from '../pages/editor.ts';

type Side = 'ours' | 'theirs';

/** The conflicts of a page or file outside of its text, such as its title or place: the lines of each side. */
type SideLines = Readonly<Record<Side, readonly string[]>>;

/** Conflicts that can only be resolved by choosing a side, by page or file. */
type SideChoices = ReadonlyMap<string, SideLines>;

/** Returns the lines of both sides for conflicts, by page or file. */
export function readChoices(violations: readonly Violation[]): Map<string, SideLines> {
  const choices = new Map<string, { ours: string[]; theirs: string[] }>();
  for (const { path, message } of violations) {
    const [, name = path, place = 'text'] = /^(.*?)(?: \(([^()]*)\)|:\d+)$/s.exec(path) ?? [];
    const [, ours = '', theirs = ''] = /^ours: (.*); theirs: (.*)$/s.exec(message) ?? [];
    const sides = choices.get(name) ?? { ours: [], theirs: [] };
    sides.ours.push(`ours, ${place}: ${ours}`);
    sides.theirs.push(`theirs, ${place}: ${theirs}`);
    choices.set(name, sides);
  }
  return choices;
}

/** Returns the text of the file in which the user chooses a side of each conflict. */
function choicesText(choices: SideChoices, labels: MarkerLabels): string {
  const blocks = [...choices].map(([name, { ours, theirs }]) =>
    [name, `<<<<<<< ${labels.ours}`, ...ours, '=======', ...theirs, `>>>>>>> ${labels.theirs}`, ''].join(
      '\n',
    ),
  );
  const help = [
    `The ${labels.ours} (ours) and the ${labels.theirs} (theirs) changed these pages and files in different ways.`,
    'For each of them keep the lines of one side, and delete the other side and the markers.',
  ];
  return [...help.map((line) => `# ${line}`), '', ...blocks].join('\n');
}

/** Reads the chosen sides. @throws Problem(conflict) for a page or file without exactly one side */
function readSides(text: string, choices: SideChoices): Map<string, Side> {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && (!line.startsWith('#') || choices.has(line)));
  const sides = new Map<string, Side>();
  for (const [name, { ours, theirs }] of choices) {
    const start = lines.indexOf(name) + 1;
    const length = lines.slice(start).findIndex((line) => choices.has(line));
    const kept = start === 0 ? [] : lines.slice(start, length < 0 ? undefined : start + length);
    const isSame = (side: readonly string[]) =>
      side.map((line) => line.trimEnd()).join('\n') === kept.join('\n');
    if (!isSame(ours) && !isSame(theirs))
      throw new Problem('conflict', `No side was chosen for ${name}, so nothing was merged.`, {
        hint: `Merge again with --edit and keep the lines of one side, or add \`--ours ${shellWord(name)}\` or \`--theirs ${shellWord(name)}\`.`,
      });
    sides.set(name, isSame(ours) ? 'ours' : 'theirs');
  }
  return sides;
}

/** Opens the editor for conflicts that need a choice of a side. @throws Problem(conflict) if no side was chosen */
export async function chooseSides(
  session: Session,
  choices: SideChoices,
  labels: MarkerLabels,
): Promise<Map<string, Side>> {
  const { text, discard } = await editText(session, 'conflicts.txt', choicesText(choices, labels));
  await discard();
  return readSides(text, choices);
}
