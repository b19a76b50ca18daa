import { posix, relative, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { Warning } from '../../content-sync/folder.ts';
import { defined } from '../../contract/values.ts';
import { Problem, type Violation } from '../../errors/problem.ts';
import { isInside } from '../../files/confine.ts';
import { escapeControlsByLine } from '../output/escape-controls.ts';
import type { Session } from '../session/session.ts';

export interface FormatOptions {
  readonly format?: 'table' | 'github';
}

/** Adds --format. `what` describes the annotations for GitHub. */
export function addFormatOption(command: Command, what: string): Command {
  return command.addOption(
    new Option('--format <format>', `table, or github for ${what} in GitHub workflows`)
      .choices(['table', 'github'])
      .default('table'),
  );
}

/** Runs the work of a command. With --format github, errors become annotations too, and -o has no effect. */
export async function annotateErrors(
  session: Session,
  { format }: FormatOptions,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  if (format !== 'github') return work(session);
  try {
    await work({ ...session, format: 'table' });
  } catch (error) {
    await annotateViolations(session, 'error', violationsIn(error));
    throw error;
  }
}

/** Converts warnings about the files of a folder to violations. Their paths start with the path of the folder. */
export function toViolations(warnings: readonly Warning[], dir: string): Violation[] {
  return warnings.map(({ file, line, rule, message }) => ({
    path: `${posix.join(dir, file)}${line === 0 ? '' : `:${line}`}`,
    message: `${message} (${rule})`,
  }));
}

/**
 * Writes violations as annotations for GitHub. Paths are relative to GITHUB_WORKSPACE, into which the job has checked out the
 * repository. GitHub shows messages without a file above the files.
 * Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export async function annotateViolations(
  { terminal, runtime: { cwd, env } }: Session,
  level: 'error' | 'warning',
  violations: readonly Violation[],
): Promise<void> {
  const workspace = env['GITHUB_WORKSPACE'];
  const inRepository = (file: string): string => {
    const path = resolve(cwd, file);
    return workspace !== undefined && workspace !== '' && isInside(workspace, path)
      ? relative(workspace, path).replaceAll('\\', '/')
      : file;
  };
  const lines = violations.map(({ path, message }) => {
    const [, file = path, line, column] = /^(.*?)(?::(\d+))?(?::(\d+))?$/s.exec(path) ?? [];
    const properties = Object.entries(
      defined({ file: escapeProperty(inRepository(file)), line, col: column }),
    );
    const position = file === '' ? '' : ` ${properties.map((property) => property.join('=')).join(',')}`;
    return `::${level}${position}::${escapeMessage(message)}\n`;
  });
  const text = lines.join('');
  if (text === '') return;
  await terminal.stdout.write(terminal.stdoutIsTTY ? escapeControlsByLine(text) : text);
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Returns the violations in an error, including one whose location is in its message. The port of a URL is no line. */
function violationsIn(error: unknown): readonly Violation[] {
  if (!(error instanceof Problem)) return [];
  if (error.violations.length > 0) return error.violations;
  const [, path, message] = /^((?!\w+:\/\/)\S+\.\w+(?::\d+){1,2}):? (.+)$/s.exec(error.message) ?? [];
  return [{ path: path ?? '', message: message ?? error.message }];
}
