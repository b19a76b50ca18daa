import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { Problem } from '../../../errors/problem.ts';
import { readText } from '../../files.ts';
import type { Session } from '../../session.ts';

/** A text that a person edited, and the private file it lies in until it is safe elsewhere. */
export interface EditedText {
  readonly text: string;
  readonly path: string;
  readonly discard: () => Promise<void>;
}

/** Opens the text in the editor of the environment, in a private file of this name, and waits until it is closed. */
export async function editText(session: Session, name: string, text: string): Promise<EditedText> {
  const { terminal, runtime } = session;
  const [command, ...words] = editorOf(runtime.env);
  const folder = await mkdtemp(join(runtime.env['TMPDIR'] ?? tmpdir(), 'docsctl-'));
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  const discard = () => rm(folder, { recursive: true, force: true });
  const letGo = runtime.holdInterrupts();
  try {
    // What is printed may go to a pipe; the editor needs the terminal.
    await execa(command!, [...words, path], {
      cwd: runtime.cwd,
      env: runtime.env,
      extendEnv: false,
      stdin: 'inherit',
      stdout: terminal.stdoutIsTTY ? 'inherit' : 2,
      stderr: 'inherit',
      cancelSignal: runtime.signal,
    });
  } catch (error) {
    throw await failed(session, error as EditorError, { command: command!, path, before: text, discard });
  } finally {
    letGo();
  }
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  return { text: bom + (await readText(session, path)), path, discard };
}

interface EditorError extends Error {
  readonly exitCode?: number;
  readonly code?: string;
  readonly isCanceled?: boolean;
}

/** Says why the editor gave nothing; a text that was changed all the same is kept. */
async function failed(
  session: Session,
  error: EditorError,
  {
    command,
    path,
    before,
    discard,
  }: { command: string; path: string; before: string; discard: () => Promise<void> },
): Promise<Problem> {
  const isSame = (await readText(session, path).catch(() => undefined)) === before.replace(/^\ufeff/, '');
  if (isSame) await discard();
  const kept = isSame ? '' : ` What you wrote is in ${path}.`;
  if (error.isCanceled === true) return new Problem('interrupted', `Stopped; nothing was sent.${kept}`);
  if (error.exitCode === undefined)
    return new Problem(
      'usage',
      `The editor "${command}" could not be started${error.code === undefined ? '' : ` (${error.code})`}.`,
      {
        hint: 'Set VISUAL or EDITOR to a command, or give the new text with --file.',
      },
    );
  return new Problem(
    'guard-refused',
    `The editor ended with code ${error.exitCode}, so nothing was sent.${kept}`,
  );
}

function editorOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const given = [env['VISUAL'], env['EDITOR']].find((value) => (value ?? '').trim() !== '');
  if (given === undefined) return [platform() === 'win32' ? 'notepad' : 'vi'];
  return splitCommand(given, platform() !== 'win32');
}

/** The words of a command as a shell takes them apart: blanks between words, quotes of both kinds, a backslash in front of one character. */
export function splitCommand(command: string, backslashes = true): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const character = command[at]!;
    if (backslashes && character === '\\' && quote !== "'" && at + 1 < command.length)
      word = (word ?? '') + command[++at]!;
    else if (quote === '' && (character === '"' || character === "'"))
      [word, quote] = [word ?? '', character];
    else if (character === quote) quote = '';
    else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '')
    throw new Problem('usage', `The editor is set to ${command}, which has a quote that is never closed.`, {
      hint: 'Mend VISUAL or EDITOR.',
    });
  return word === undefined ? words : [...words, word];
}
