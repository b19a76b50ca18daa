import { confirm, input, password } from '@inquirer/prompts';
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

function streams({ terminal, runtime }: Session) {
  return { input: terminal.stdin, output: runtime.promptOutput, signal: runtime.signal };
}

async function guarded<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && /^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(error.name))
      throw new Problem('interrupted', 'Stopped; nothing was changed.');
    throw error;
  }
}
