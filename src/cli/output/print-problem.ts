import { fieldAt } from '../../contract/paths.ts';
import { Problem, withPath } from '../../errors/problem.ts';
import { whyUnwritable } from '../../files/unreadable-file.ts';
import { escapeControls, escapeControlsByLine } from './escape-controls.ts';
import type { Terminal } from '../runtime.ts';
import { redactSecrets } from '../session/secret-texts.ts';
import { clearProgress } from './progress.ts';
import { createTheme } from './style.ts';
import { wrapMessage } from './wrap-message.ts';

interface ProblemOutput {
  readonly terminal: Terminal;
  /** With `-o json`, prints one JSON object on one line. */
  readonly json: boolean;
  /** The width of the terminal in cells, to wrap long lines; undefined for a pipe. */
  readonly width?: number | undefined;
  /** With --debug, also prints the stack. */
  readonly debug: boolean;
}

/** Prints an error on stderr and returns the exit code. Anything but a Problem is a bug of docsctl. */
export async function printProblem(
  thrown: unknown,
  { terminal, json, debug, width }: ProblemOutput,
): Promise<number> {
  const problem = thrown instanceof Problem ? thrown : unexpected(thrown);
  const { stderr, stderrIsTTY, color } = terminal;
  const body = redactSecrets(JSON.stringify(problem.toJSON()));
  const text = json
    ? `${stderrIsTTY ? escapeControls(body) : body}\n`
    : redactSecrets(await describeProblem(problem, color && stderrIsTTY, { debug, width }));
  clearProgress(stderr);
  await stderr.write(text + (debug ? redactSecrets(traceOf(thrown)) : ''));
  return problem.exitCode;
}

async function describeProblem(
  problem: Problem,
  color: boolean,
  { debug, width }: Pick<ProblemOutput, 'debug' | 'width'>,
): Promise<string> {
  const theme = await createTheme(color);
  const wrap = (text: string) => (width === undefined ? text : wrapMessage(text, width));
  const labeled = (label: string, text: string, style: (text: string) => string) =>
    style(label) + wrap(`${label} ${indent(text)}`).slice(label.length);
  const lines = [labeled('error:', problem.message, theme.error)];
  for (const [index, { path, option, message }] of problem.violations.entries()) {
    // Do not repeat the first line.
    const said = message.replace(/^The value /, '');
    if (index === 0 && problem.message !== message && problem.message.includes(said)) continue;
    if ((path === '/body' || path === '/path') && problem.message === message) continue;
    const [, at] = /^\/\w+\/\w+\/(\d+)$/.exec(path) ?? [];
    const value = at === undefined || option === undefined ? '' : ` (value ${Number(at) + 1})`;
    const place = escapeControls(`${option ?? fieldOf(path)}${value}`);
    lines.push(
      message === problem.message
        ? `  ${option === undefined ? 'field' : option.startsWith('-') ? 'option' : 'argument'}: ${place}`
        : wrap(`  ${withPath({ path: place, message: indent(message) })}`),
    );
  }
  if (problem.hint !== undefined) lines.push(labeled('hint:', problem.hint, theme.hint));
  if (problem.requestId !== undefined && (problem.reason === 'unexpected' || debug))
    lines.push(theme.faint(`request: ${escapeControls(problem.requestId)}`));
  return `${lines.join('\n')}\n`;
}

/** Returns the field for a pointer into a body or query; other paths unchanged. */
function fieldOf(path: string): string {
  const [, pointer] = /^\/(?:body|query)(\/.+)$/s.exec(path) ?? [];
  return pointer === undefined ? path : fieldAt(pointer);
}

/** Indents further lines, so that no message of a server looks like a line of docsctl, and shortens very long words. */
function indent(text: string): string {
  const short = text.trimEnd().replace(/\S{1000,}/g, (word) => `${word.slice(0, 200)}…`);
  return escapeControlsByLine(short).replaceAll('\n', '\n  ');
}

function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `${escapeControlsByLine(String(thrown))}\n`;
  const { stack, message, cause } = thrown;
  const origin =
    cause === undefined ? '' : `\ncaused by ${cause instanceof Error ? cause.stack : String(cause)}`;
  return `${escapeControlsByLine((stack ?? message) + origin)}\n`;
}

/** Errors of the operating system that are caused by the user's path or its permissions. */
const pathFaults = new Set(['EACCES', 'ELOOP', 'ENAMETOOLONG', 'EPERM', 'EROFS']);

function unexpected(thrown: unknown): Problem {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const { code = '', path } = (thrown ?? {}) as NodeJS.ErrnoException;
  if (path !== undefined && pathFaults.has(code))
    return new Problem('invalid-input', `${path} cannot be used: ${whyUnwritable(path, thrown)}.`, {
      hint: 'Check the path and its permissions.',
      cause: thrown,
    });
  if (code === 'OTHER_BUILD') return new Problem('unexpected', message, { cause: thrown });
  return new Problem('unexpected', `docsctl itself failed: ${message}`, {
    hint: 'This is a bug. Run the command again with --debug, and report the output.',
    cause: thrown,
  });
}
