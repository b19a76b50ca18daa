import { confirm, input, password, search, select } from '@inquirer/prompts';
import { Problem } from '../errors/problem.ts';
import { escapeControls } from './output/escape-controls.ts';
import type { Session } from './session.ts';

/** Asks yes or no on the terminal; no is the default. */
export async function ask(session: Session, question: string): Promise<boolean> {
  return guarded(confirm({ message: escapeControls(question), default: false }, streams(session)));
}

/** Asks for a line of text. `check` returns true or an error message. */
export async function askText(
  session: Session,
  question: string,
  check: (text: string) => true | string,
): Promise<string> {
  return guarded(input({ message: question, validate: check }, streams(session)));
}

/** Asks for a secret, which is not shown. */
export async function askSecret(session: Session, question: string): Promise<string> {
  return guarded(password({ message: question, mask: '*' }, streams(session)));
}

interface Option {
  readonly value: string;
  readonly name: string;
}

/** Offers a list to choose from; returns the value. */
export async function askSelect(
  session: Session,
  question: string,
  options: readonly Option[],
): Promise<string> {
  return guarded(
    select(
      { message: escapeControls(question), choices: options.map(shown), pageSize: 12 },
      streams(session),
    ),
  );
}

/** Offers a long list that is searched by typing; returns the value. */
export async function askSearch(
  session: Session,
  question: string,
  options: readonly Option[],
): Promise<string> {
  const source = (term = '') =>
    options.filter(({ name }) => name.toLowerCase().includes(term.trim().toLowerCase())).map(shown);
  return guarded(
    search(
      { message: `${escapeControls(question)} (type to search)`, source, pageSize: 12 },
      streams(session),
    ),
  );
}

function shown({ value, name }: Option): Option {
  return { value, name: escapeControls(name) };
}

function streams({ terminal, runtime }: Session) {
  return { input: terminal.stdin, output: runtime.promptOutput, signal: runtime.signal };
}

async function guarded<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && /^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(error.name))
      throw new Problem('interrupted', 'Interrupted. Nothing was changed.');
    throw error;
  }
}
