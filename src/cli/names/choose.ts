import { Problem } from '../../errors/problem.ts';
import type { Session } from '../session/session.ts';

/** An item to choose from a list. */
export interface Choice {
  readonly id: string;
  /** The display name; the ID if there is none. */
  readonly name: string;
}

/** Maximum length of a selection list. Longer lists are searched by typing. */
const maxSelected = 12;

/** Offers a list on the terminal and returns the ID of the chosen item. @throws Problem(interrupted) for Ctrl-C */
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
