import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** CPU seconds of all finished children of this process so far (Linux), from /proc: fields cutime and cstime. */
export function childCpu() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Runs commands in turn, A B A B …, and gives for each the CPU seconds a run, its wall median, and the ratio of CPU to the first. */
export function inTurn(commands, { rounds, env }) {
  const cpu = commands.map(() => 0);
  const walls = commands.map(() => []);
  for (let round = -1; round < rounds; round++) {
    commands.forEach(({ argv, before }, index) => {
      before?.();
      const start = process.hrtime.bigint();
      const used = childCpu();
      const done = spawnSync(argv[0], argv.slice(1), {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...env },
      });
      if (done.status !== 0)
        throw new Error(`${argv.join(' ')} ended with ${done.status}: ${String(done.stderr)}`);
      if (round < 0) return;
      cpu[index] += childCpu() - used;
      walls[index].push(Number(process.hrtime.bigint() - start) / 1e6);
    });
  }
  return commands.map(({ name }, index) => ({
    name,
    cpu: cpu[index] / rounds,
    wall: median(walls[index]),
    ratio: cpu[index] / cpu[0],
  }));
}

export function median(values) {
  return [...values].sort((one, other) => one - other)[values.length >> 1];
}

/** Starts a process and gives its peak memory in MB when it ends, read while it runs. */
export async function withPeak(argv, { env, input } = {}) {
  const child = spawn(argv[0], argv.slice(1), { stdio: [input ?? 'ignore', 'ignore', 'inherit'], env });
  let peak = 0;
  const start = process.hrtime.bigint();
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 20);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, peak };
}

/** Peak resident memory of a process so far, MB. */
export function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** CPU seconds of a running process. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
