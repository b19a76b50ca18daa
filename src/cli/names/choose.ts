import { Problem } from '../../errors/problem.ts';
import type { Session } from '../session/session.ts';

/** Something to choose from a list. */
export interface Choice {
  readonly id: string;
  /** What people know it by; the ID where it has no name. */
  readonly name: string;
}

/** Whether the user can be asked to choose: at a terminal, and without --no-input. */
export function canChoose({ terminal }: Pick<Session, 'terminal'>): boolean {
  return terminal.stderrIsTTY && terminal.stdinIsTTY;
}

/** Longer lists are searched by typing. */
const maxSelected = 12;

/** Offers a list on the terminal and returns the ID of what was chosen. @throws Problem(interrupted) for Ctrl-C */
export async function chooseOne(
  session: Session,
  question: string,
  choices: readonly Choice[],
): Promise<string> {
  if (choices.length === 0) throw new Problem('not-found', `${question} There is nothing to choose from.`);
  const { askSearch, askSelect } = await import('../prompts.ts');
  const names = choices.map(({ name }) => name);
  const shown = choices.map(({ id, name }) => ({
    value: id,
    name: names.indexOf(name) === names.lastIndexOf(name) || name === id ? name : `${name} (${id})`,
  }));
  return choices.length > maxSelected
    ? askSearch(session, question, shown)
    : askSelect(session, question, shown);
}
