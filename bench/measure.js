import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** CPU seconds of all finished children of this process so far (Linux), from /proc: fields cutime and cstime. */
export function childCpu() {
  const fields = statOf('self');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/**
 * Returns the fields of /proc/PID/stat after the name of the program.
 *
 * @param {number | 'self'} pid
 */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
}

/**
 * Runs commands in turn (A B A B …). Returns for each the CPU seconds per run, the median time in milliseconds, and the
 * ratio of its CPU seconds to those of the first.
 *
 * @param {readonly { name: string, argv: [string, ...string[]] }[]} commands
 * @param {{ rounds: number, env: NodeJS.ProcessEnv }} options
 */
export function inTurn(commands, { rounds, env }) {
  const measured = commands.map(({ name, argv }) => ({
    name,
    argv,
    cpu: 0,
    walls: /** @type {number[]} */ ([]),
  }));
  for (let round = -1; round < rounds; round++) {
    for (const one of measured) {
      const [file, ...words] = one.argv;
      const start = process.hrtime.bigint();
      const used = childCpu();
      const done = spawnSync(file, words, {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...env },
      });
      if (done.status !== 0)
        throw new Error(`${one.argv.join(' ')} ended with ${done.status}: ${String(done.stderr)}`);
      if (round < 0) continue;
      one.cpu += childCpu() - used;
      one.walls.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  return measured.map(({ name, cpu, walls }) => ({
    name,
    cpu: cpu / rounds,
    wall: median(walls),
    ratio: cpu / (measured[0]?.cpu ?? cpu),
  }));
}

/** @param {readonly number[]} values */
export function median(values) {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/**
 * Starts a process and returns its peak memory in MB, which is read while it runs.
 *
 * @param {[string, ...string[]]} argv
 * @param {{ env: NodeJS.ProcessEnv }} options
 */
export async function withPeak(argv, { env }) {
  const [file, ...words] = argv;
  const child = spawn(file, words, { stdio: ['ignore', 'ignore', 'inherit'], env });
  let peak = 0;
  const start = process.hrtime.bigint();
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 20);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, peak };
}

/**
 * Returns the peak resident memory of a process so far, in MB.
 *
 * @param {number} pid
 */
export function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Returns the CPU seconds of a running process.
 *
 * @param {number} pid
 */
export function cpuOf(pid) {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
