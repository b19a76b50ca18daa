import { setPriority } from 'node:os';
import { tables } from '../../resources/tables.ts';
import { Problem } from '../../errors/problem.ts';
import type { CheckRequest } from './check-apart.ts';
import { checkStore } from './check-store.ts';

/** The priority of the process, lower than that of the server, which has to answer requests. */
const priority = 10;

/** Answers one request from standard input on standard output, and exits. It also exits when its parent process ends. */
export function runCheckProcess({ stdin, stdout, exit }: NodeJS.Process): void {
  setPriority(priority);
  let line = '';
  stdin.setEncoding('utf8');
  stdin.on('end', () => exit(1));
  stdin.on('data', (text: string) => {
    line += text;
    if (!line.endsWith('\n')) return;
    void answer(JSON.parse(line) as CheckRequest).then((result) =>
      stdout.write(JSON.stringify(result), () => exit(0)),
    );
  });
}

async function answer({ url, cwd, quick }: CheckRequest): Promise<object> {
  try {
    return await checkStore({ url, tables, cwd }, { quick });
  } catch (error) {
    if (error instanceof Problem) return error.toJSON();
    throw error;
  }
}
