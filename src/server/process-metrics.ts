import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { defined } from '../contract/values.ts';
import type { Metrics, Sample } from './metrics.ts';

/** Milliseconds between two measurements of the event loop. Node includes them in the delay. */
const resolution = 20;

/** Adds the metrics of this process: memory, CPU time, open files, and how long the event loop was blocked. */
export function addProcessMetrics(metrics: Metrics, version: string): void {
  const gauge = (name: string, help: string, read: () => number | undefined, type?: 'counter'): void =>
    metrics.gauge({ name, help, isOfProcess: true, ...defined({ type }) }, () => {
      const value = read();
      return value === undefined ? [] : [[[], value]];
    });
  const started = Date.now() / 1000 - process.uptime();
  gauge('process_start_time_seconds', 'When the process was started, in seconds since 1970.', () => started);
  gauge(
    'process_cpu_seconds_total',
    'CPU time of the process.',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    'counter',
  );
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_used_bytes', 'Memory of JavaScript objects.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory outside of the heap.', () => process.memoryUsage().external);
  gauge('process_open_fds', 'Open files and sockets.', countOpenFiles);
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  metrics.gauge(
    {
      name: 'docsctl_event_loop_delay_seconds',
      help: 'How long work held the event loop, since the metrics were read last.',
      names: ['quantile'],
      isOfProcess: true,
    },
    () => {
      const seconds = (nanoseconds: number): number =>
        Math.max(0, Number.isFinite(nanoseconds) ? nanoseconds / 1e9 - resolution / 1000 : 0);
      const samples: Sample[] = [0.5, 0.99].map((part) => [
        [String(part)],
        seconds(delay.percentile(part * 100)),
      ]);
      samples.push([['1'], seconds(delay.max)]);
      delay.reset();
      return samples;
    },
  );
  metrics.gauge(
    {
      name: 'docsctl_build_info',
      help: 'The version of docsctl and of Node.',
      names: ['version', 'node'],
      isOfProcess: true,
    },
    () => [[[version, process.version], 1]],
  );
}

/** Returns the number of open files; undefined except on Linux. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
