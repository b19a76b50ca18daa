import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, type ExecaError } from 'execa';
import { Problem } from '../../../errors/problem.ts';
import { readText } from '../../input/files.ts';
import type { Session } from '../../session/session.ts';
import { splitCommand } from '../../split-command.ts';

/** An edited text, and the private file that contains it until it is sent. */
export interface EditedText {
  readonly text: string;
  readonly path: string;
  readonly discard: () => Promise<void>;
}

/**
 * Opens a text in the user's editor, in a private file with this name, and waits until the editor exits. `otherwise` is the end
 * of the hint if the editor cannot be started.
 */
export async function editText(
  session: Session,
  name: string,
  text: string,
  otherwise = 'or give the new text with --file',
): Promise<EditedText> {
  const { terminal, runtime } = session;
  const [command = '', ...args] = editorOf(runtime.env);
  const folder = await mkdtemp(join(runtime.env['TMPDIR'] ?? tmpdir(), 'docsctl-'));
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  const discard = () => rm(folder, { recursive: true, force: true });
  const releaseInterrupts = runtime.holdInterrupts();
  try {
    await execa(command, [...args, path], {
      cwd: runtime.cwd,
      env: runtime.env,
      extendEnv: false,
      stdin: 'inherit',
      // Standard output may be a pipe; the editor needs the terminal.
      stdout: terminal.stdoutIsTTY ? 'inherit' : 2,
      stderr: 'inherit',
      cancelSignal: runtime.signal,
    });
  } catch (error) {
    const now = await readText(session, path).catch(() => undefined);
    const isKept = existsSync(path) && now !== text.replace(/^\ufeff/, '');
    if (!isKept) await discard();
    const kept = isKept ? ` Your text is kept in ${path}.` : '';
    throw editorProblem(error as ExecaError, command, kept, otherwise);
  } finally {
    releaseInterrupts();
  }
  if (!existsSync(path)) {
    await discard();
    throw new Problem('guard-refused', 'The editor deleted the file, so nothing was sent.');
  }
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  return { text: bom + (await readText(session, path)), path, discard };
}

/** Returns the Problem for an editor that failed. `kept` tells where a changed text is. */
function editorProblem(
  { isCanceled, exitCode, signal, code }: ExecaError,
  command: string,
  kept: string,
  otherwise: string,
): Problem {
  if (isCanceled || signal === 'SIGINT')
    return new Problem('interrupted', `Interrupted. Nothing was sent.${kept}`);
  if (exitCode !== undefined || signal !== undefined)
    return new Problem(
      'guard-refused',
      `The editor exited with ${signal ?? `code ${exitCode}`}, so nothing was sent.${kept}`,
    );
  const reason = code === undefined ? '' : ` (${code})`;
  return new Problem('invalid-input', `The editor "${command}" could not be started${reason}.`, {
    hint: `Set VISUAL or EDITOR to a command, ${otherwise}.`,
  });
}

function editorOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const isWindows = platform() === 'win32';
  const command = [env['VISUAL'], env['EDITOR']].find((value) => (value ?? '').trim() !== '');
  return command === undefined
    ? [isWindows ? 'notepad' : 'vi']
    : splitCommand(command, 'editor', 'VISUAL or EDITOR', !isWindows);
}
