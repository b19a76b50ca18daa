import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Runtime, Sink } from '../runtime.ts';
import { splitCommand } from '../split-command.ts';

interface PagerOptions {
  readonly runtime: Pick<Runtime, 'terminal' | 'env' | 'holdInterrupts'>;
  /** False with --no-pager. */
  readonly isWanted: boolean;
  readonly note: (message: string) => void;
  /** Called with true when the pager takes the screen, and with false when it ends. */
  readonly onOpen?: (isOpen: boolean) => void;
}

/**
 * Creates a standard output that shows long text in a pager. Flush it at the end; this waits until the reader quits the pager.
 */
export function createPagedSink({ runtime, isWanted, note, onOpen = () => {} }: PagerOptions): Sink {
  const { terminal, env } = runtime;
  const command = isWanted && terminal.stdoutIsTTY ? pagerOf(env) : undefined;
  if (command === undefined || terminal.rows === undefined) return terminal.stdout;
  return pagedSink(runtime, { command, rows: terminal.rows, note, onOpen });
}

/** Returns the program in DOCSCTL_PAGER or PAGER, or else less; undefined if there should be none. */
function pagerOf(env: Runtime['env']): string | undefined {
  const command = (env['DOCSCTL_PAGER'] ?? env['PAGER'] ?? 'less -FRX').trim();
  return command === '' || command === 'cat' || env['TERM'] === 'dumb' ? undefined : command;
}

function pagedSink(
  { terminal, env, holdInterrupts }: PagerOptions['runtime'],
  {
    command,
    rows,
    note,
    onOpen,
  }: { command: string; rows: number } & Required<Pick<PagerOptions, 'note' | 'onOpen'>>,
): Sink {
  const { stdout } = terminal;
  /** The text so far, as long as it fits the screen. */
  let kept = '';
  let pager: Pager | undefined;
  let isMissing = false;
  let release = (): void => {};
  const start = async (): Promise<void> => {
    release = holdInterrupts();
    onOpen(true);
    pager = await startPager(command, env);
    if (pager === undefined) {
      isMissing = true;
      onOpen(false);
      release();
      note(`The pager "${command}" cannot be run. Set DOCSCTL_PAGER to another one, or to nothing.`);
    }
    const text = kept;
    kept = '';
    await (pager ?? stdout).write(text);
  };
  return {
    get closed() {
      return stdout.closed || pager?.closed === true;
    },
    write: (text) => {
      if (pager !== undefined) return pager.write(text);
      if (isMissing || typeof text !== 'string') return stdout.write(text);
      kept += text;
      return countLines(kept, terminal.columns) < rows ? undefined : start();
    },
    flush: async () => {
      if (pager === undefined) {
        const text = kept;
        kept = '';
        await stdout.write(text);
        return stdout.flush();
      }
      await pager.finish();
      pager = undefined;
      onOpen(false);
      release();
    },
  };
}

interface Pager extends Pick<Sink, 'write' | 'closed'> {
  /** Ends the input of the pager and waits until it exits. */
  readonly finish: () => Promise<void>;
}

/** Starts a pager on the terminal; returns undefined if the program cannot be run. */
async function startPager(command: string, env: Runtime['env']): Promise<Pager | undefined> {
  const { spawn } = await import('node:child_process');
  const [program = '', ...args] = /[|&;<>$`~*?]/.test(command)
    ? ['sh', '-c', command]
    : splitCommand(command, 'pager', 'DOCSCTL_PAGER or PAGER');
  const child = spawn(program, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    // Like git, if PAGER is plain less: keep colors, and exit if everything fits.
    env: { LESS: 'FRX', ...env },
  });
  const { stdin } = child;
  let closed = false;
  stdin.on('error', () => {
    closed = true;
  });
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => {
      closed = true;
      resolve();
    });
  });
  if (!(await hasStarted(child))) return undefined;
  return {
    get closed() {
      return closed;
    },
    write: async (text) => {
      if (closed || stdin.write(text)) return;
      await Promise.race([once(stdin, 'drain').catch(() => {}), exited]);
    },
    finish: async () => {
      stdin.end();
      await exited;
    },
  };
}

async function hasStarted(child: ChildProcess): Promise<boolean> {
  try {
    await once(child, 'spawn');
    return true;
  } catch {
    return false;
  }
}

/** Returns the number of lines of a text on a terminal. Color codes make it slightly too large. */
function countLines(text: string, columns: number): number {
  const lines = text.split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / Math.max(1, columns))), -1);
}
