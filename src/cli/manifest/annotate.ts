import { posix, relative, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { Warning } from '../../content-sync/folder.ts';
import { Problem, type Violation } from '../../errors/problem.ts';
import { isInside } from '../../files/confine.ts';
import { escapeControlsByLine } from '../output/escape-controls.ts';
import { writeAnnotation, type Annotation } from '../output/github-annotation.ts';
import type { Session } from '../session.ts';

export interface FormatOptions {
  readonly format?: 'table' | 'github';
}

/** Adds --format. `what` is what GitHub gets. */
export function addFormatOption(command: Command, what: string): Command {
  return command.addOption(
    new Option('--format <format>', `table, or github for ${what} in GitHub workflows`)
      .choices(['table', 'github'])
      .default('table'),
  );
}

/** Does the work of a command. With --format github, an error is annotated too, and -o has no effect. */
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

/** Returns warnings about the files of a folder with paths that start with the path of the folder. */
export function toViolations(warnings: readonly Warning[], dir: string): Violation[] {
  return warnings.map(({ file, line, rule, message }) => ({
    path: `${posix.join(dir, file)}${line === 0 ? '' : `:${line}`}`,
    message: `${message} (${rule})`,
  }));
}

/**
 * Writes what is wrong with files as annotations for GitHub. Files are named relative to GITHUB_WORKSPACE, where the job has
 * checked out the repository.
 */
export async function annotateViolations(
  { terminal, runtime: { cwd, env } }: Session,
  level: Annotation['level'],
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
    const position = { line: toNumber(line), column: toNumber(column) };
    return `${writeAnnotation({ level, ...(file !== '' && { file: inRepository(file), ...position }), message })}\n`;
  });
  const text = lines.join('');
  if (text === '') return;
  await terminal.stdout.write(terminal.stdoutIsTTY ? escapeControlsByLine(text) : text);
}

/** Lists what is wrong with files according to an error, which may name one place in its message. */
export function violationsIn(error: unknown): readonly Violation[] {
  if (!(error instanceof Problem)) return [];
  if (error.violations.length > 0) return error.violations;
  const [, path, message] = /^(\S+\.\w+(?::\d+){1,2}):? (.+)$/s.exec(error.message) ?? [];
  return [{ path: path ?? '', message: message ?? error.message }];
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
