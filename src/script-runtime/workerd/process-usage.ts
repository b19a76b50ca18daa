import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface ProcessUsage {
  /** Processor time in milliseconds. */
  readonly computed: number;
  /** Current memory in bytes. */
  readonly memory: number;
}

/** Length of a clock tick in milliseconds, on every Linux that Node.js supports. */
const tick = 10;

/** Returns the resource usage of a process from /proc, or else from ps; undefined if it has ended. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]);
    // The name of the program is in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      computed: (Number(fields[11]) + Number(fields[12])) * tick,
      memory: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024,
    };
  } catch {
    return readFromPs(pid);
  }
}

/** Returns the resource usage of a process from ps; undefined if it has ended. */
export async function readFromPs(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
    const [, memory, time] = /^\s*(\d+)\s+(\S+)\s*$/.exec(stdout) ?? [];
    if (memory === undefined || time === undefined) return undefined;
    const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
    const seconds = (clock ?? '0').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return { computed: (Number(days) * 86_400 + seconds) * 1000, memory: Number(memory) * 1024 };
  } catch {
    return undefined;
  }
}
