import { confirm, input, password, search, select } from '@inquirer/prompts';
import { Problem } from '../errors/problem.ts';
import { escapeControls } from './output/escape-controls.ts';
import { truncate } from './output/width.ts';
import type { Session } from './session/session.ts';

/** Asks yes or no on the terminal. The default is no. */
export async function ask(session: Session, question: string): Promise<boolean> {
  return guarded(session, (streams) =>
    confirm({ message: escapeControls(question), default: false }, streams),
  );
}

/** Asks for a line of text. `check` returns true or an error message. */
export async function askText(
  session: Session,
  question: string,
  check: (text: string) => true | string,
): Promise<string> {
  return guarded(session, (streams) => input({ message: question, validate: check }, streams));
}

/** Asks for a secret without showing it. */
export async function askSecret(session: Session, question: string): Promise<string> {
  return guarded(session, (streams) => password({ message: question, mask: '*' }, streams));
}

interface Option {
  readonly value: string;
  readonly name: string;
}

/** Offers a list to choose from, and returns the value. */
export async function askSelect(
  session: Session,
  question: string,
  options: readonly Option[],
): Promise<string> {
  const message = escapeControls(question);
  const chosen = guarded(session, (streams) =>
    select({ message, choices: options.map(shown), pageSize: 12 }, { ...streams, clearPromptOnDone: true }),
  );
  return answered(session, message, options, await chosen);
}

/** Offers a long list that is searched by typing, and returns the value. */
export async function askSearch(
  session: Session,
  question: string,
  options: readonly Option[],
): Promise<string> {
  const source = (term = '') =>
    options.filter(({ name }) => name.toLowerCase().includes(term.trim().toLowerCase())).map(shown);
  const message = escapeControls(question);
  const chosen = guarded(session, (streams) =>
    search(
      { message: `${message} (type to search)`, source, pageSize: 12 },
      { ...streams, clearPromptOnDone: true },
    ),
  );
  return answered(session, message, options, await chosen);
}

/** Keeps a question and its answer on the screen, and returns the answer. */
function answered(
  { note, terminal }: Session,
  message: string,
  options: readonly Option[],
  chosen: string,
): string {
  const name = escapeControls(options.find(({ value }) => value === chosen)?.name ?? chosen);
  note(truncate(`? ${message} ${name}`, terminal.columns));
  return chosen;
}

function shown({ value, name }: Option): Option {
  return { value, name: escapeControls(name) };
}

interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

async function guarded<T>(
  { terminal, runtime }: Session,
  prompt: (streams: Streams) => Promise<T>,
): Promise<T> {
  const { stdin } = terminal;
  // At Ctrl-D, the input ends, and the prompt would wait forever.
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  stdin.once('pause', stop);
  try {
    const signal = AbortSignal.any([runtime.signal, stopped.signal]);
    return await prompt({ input: stdin, output: runtime.promptOutput, signal });
  } catch (error) {
    if (error instanceof Error && /^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(error.name))
      throw new Problem('interrupted', 'Interrupted. Nothing was changed.');
    throw error;
  } finally {
    stdin.off('pause', stop);
  }
}
