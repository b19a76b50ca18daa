import { relative, resolve } from 'node:path';
import { Problem, type Violation } from '../../errors/problem.ts';
import { isInside } from '../../files/confine.ts';
import { escapeControlsByLine } from '../output/escape-controls.ts';
import { writeAnnotation, type Annotation } from '../output/github-annotation.ts';
import type { Session } from '../session.ts';

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
