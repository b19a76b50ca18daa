import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { docsctl, splitWords, type CliOptions } from './cli.ts';

/** The output of a command line, and the exit code of its last command. */
export interface ShellResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a shell line in which docsctl runs inside this process. Supports pipes, `&&`, `||` within these, redirections and
 * comments, with the quoting of `splitWords`. Other programs are run by /bin/sh.
 */
export async function runShell(line: string, options: CliOptions): Promise<ShellResult> {
  let result: ShellResult = { exit: 0, stdout: '', stderr: '' };
  let stderr = '';
  for (const part of splitOutside(withoutComment(line), '&&')) {
    for (const pipeline of splitOutside(part, '||')) {
      let input: string | undefined;
      for (const command of splitOutside(pipeline, '|')) {
        result = await runCommand(command, { ...options, ...(input === undefined ? {} : { input }) });
        stderr += result.stderr;
        input = result.stdout;
      }
      if (result.exit === 0) break;
    }
    if (result.exit !== 0) break;
  }
  return { ...result, stderr };
}

async function runCommand(command: string, options: CliOptions): Promise<ShellResult> {
  const cwd = options.cwd ?? options.home;
  const words = splitWords(command);
  const argv: string[] = [];
  let out: { path: string; append: boolean } | undefined;
  let { input } = options;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    if (word === '>' || word === '>>') out = { path: resolve(cwd, next), append: word === '>>' };
    else if (word === '<') input = readFileSync(resolve(cwd, next), 'utf8');
    else {
      argv.push(word);
      continue;
    }
    at++;
  }
  const [program, ...rest] = argv;
  const result =
    program === 'docsctl'
      ? await docsctl(rest, { ...options, ...(input === undefined ? {} : { input }) })
      : runProgram(command, { cwd, input: input ?? '', env: options.env ?? {} });
  if (out === undefined) return result;
  (out.append ? appendFileSync : writeFileSync)(out.path, result.stdout);
  return { ...result, stdout: '' };
}

function runProgram(
  command: string,
  { cwd, input, env }: { cwd: string; input: string; env: Readonly<Record<string, string>> },
): ShellResult {
  const stdout = execFileSync('/bin/sh', ['-c', command], {
    cwd,
    input,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  });
  return { exit: 0, stdout, stderr: '' };
}

/** Splits a line at an operator outside of quotes. */
function splitOutside(line: string, operator: string): string[] {
  const parts = [''];
  for (const [piece] of line.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|&&|\|\||\||[^"'&|]+|./gs))
    if (piece === operator) parts.push('');
    else parts[parts.length - 1] += piece;
  return parts.map((part) => part.trim());
}

function withoutComment(line: string): string {
  return line.replace(/\s+#\s[^"']*$/, '');
}
