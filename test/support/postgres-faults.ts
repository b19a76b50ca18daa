import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { query } from './postgres.ts';
import { restartServer, startServer, stopServer } from './postgres-server.ts';

const run = promisify(execFile);

/** A PostgreSQL server for one test, with functions that cause faults. */
export interface FaultyPostgres {
  /** The URL of its database, without a schema. */
  readonly url: string;
  /** Ends all connections of an application. Returns their number. */
  endConnections(application: string): Promise<number>;
  /** Ends one connection of an application. Returns the number of ended connections. */
  endConnection(application: string): Promise<number>;
  /** Stops all processes of the server for some milliseconds, like a machine that hangs. */
  pause(milliseconds: number): Promise<void>;
  /** Ends the server like a crash, and starts it again. */
  restart(): Promise<void>;
}

/** Starts a server that survives a crash of its processes, and removes it when the test is over. */
export async function startFaultyPostgres(): Promise<FaultyPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-faults-'));
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  onTestFinished(async () => {
    await stopServer(data);
    rmSync(folder, { recursive: true, force: true });
  });
  // Commits are passed to the operating system before they are confirmed, so they survive a crash of the processes.
  const url = await startServer(data, ['synchronous_commit=on']);
  const end = async (application: string, limit: string): Promise<number> => {
    const rows = await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE application_name = '${application}' ORDER BY random() LIMIT ${limit}) AS a`,
    );
    return rows.length;
  };
  return {
    url,
    endConnections: (application) => end(application, 'ALL'),
    endConnection: (application) => end(application, '1'),
    pause: async (milliseconds) => {
      const main = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
      // While the main process is stopped, no new processes are started.
      process.kill(main, 'SIGSTOP');
      const { stdout } = await run('pgrep', ['-P', String(main)]);
      const others = stdout.trim().split('\n').map(Number);
      signalAll(others, 'SIGSTOP');
      await delay(milliseconds);
      signalAll([...others, main], 'SIGCONT');
    },
    restart: () => restartServer(data),
  };
}

function signalAll(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const id of processes)
    try {
      process.kill(id, signal);
    } catch {
      // The process has already ended.
    }
}
