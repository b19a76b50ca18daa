import { Problem } from '../../errors/problem.ts';
import { escapeControls, escapeControlsByLine } from './escape-controls.ts';
import type { Terminal } from '../runtime.ts';
import { createTheme } from './style.ts';

export interface ProblemOutput {
  readonly terminal: Terminal;
  /** With `-o json`: one JSON object on one line. */
  readonly json: boolean;
  /** Shows where in the program it happened. */
  readonly debug: boolean;
}

/** Says on stderr what went wrong and answers with the exit code; what is no Problem is a bug of docsctl. */
export async function printProblem(
  thrown: unknown,
  { terminal, json, debug }: ProblemOutput,
): Promise<number> {
  const problem = thrown instanceof Problem ? thrown : unexpected(thrown);
  const { stderr, stderrIsTTY, color } = terminal;
  const body = JSON.stringify(problem.toJSON());
  const text = json
    ? `${stderrIsTTY ? escapeControls(body) : body}\n`
    : await forPeople(problem, color && stderrIsTTY, debug);
  await stderr.write(text + (debug ? traceOf(thrown) : ''));
  return problem.exitCode;
}

async function forPeople(problem: Problem, color: boolean, debug: boolean): Promise<string> {
  const paint = await createTheme(color);
  const lines = [`${paint.error('error:')} ${indented(problem.message)}`];
  for (const { path, message } of problem.violations) {
    if (problem.violations.length === 1 && problem.message !== message && problem.message.includes(message))
      continue;
    lines.push(
      message === problem.message
        ? `  at ${escapeControls(path)}`
        : `  ${escapeControls(path)}: ${indented(message)}`,
    );
  }
  if (problem.hint !== undefined) lines.push(`${paint.hint('hint:')} ${indented(problem.hint)}`);
  if (problem.requestId !== undefined && (problem.reason === 'unexpected' || debug))
    lines.push(paint.faint(`request: ${escapeControls(problem.requestId)}`));
  return `${lines.join('\n')}\n`;
}

/** Further lines are set in, so that no message of a server can pass for a line of our own. */
function indented(text: string): string {
  return escapeControlsByLine(text.trimEnd()).replaceAll('\n', '\n  ');
}

function traceOf(thrown: unknown): string {
  const trace =
    thrown instanceof Error
      ? `${thrown.stack ?? thrown.message}${thrown.cause === undefined ? '' : `\ncaused by ${thrown.cause instanceof Error ? thrown.cause.stack : String(thrown.cause)}`}`
      : String(thrown);
  return `${escapeControlsByLine(trace)}\n`;
}

function unexpected(thrown: unknown): Problem {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Problem('unexpected', `docsctl itself failed: ${message}`, {
    hint: 'This is a bug. Run it again with --debug and report what it prints.',
    cause: thrown,
  });
}
