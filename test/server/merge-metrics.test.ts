import { expect, it } from 'vitest';
import { CollectedMetrics, mergeMetrics } from '../../src/server/merge-metrics.ts';
import { Metrics, textOf } from '../../src/server/metrics.ts';

/** The metrics of a process that has answered this many requests. */
async function familiesOf(requests: number, open = 1) {
  const metrics = new Metrics();
  metrics.counter('requests', 'Requests.', ['route']).add(['/'], requests);
  const time = metrics.histogram('seconds', 'Time.', [], [1]);
  time.observe([], 0.5);
  metrics.gauge({ name: 'open', help: 'Open.' }, () => [[[], open]]);
  metrics.gauge({ name: 'memory', help: 'Memory.', isOfProcess: true }, () => [[[], 7]]);
  metrics.gauge({ name: 'delay', help: 'Delay.', names: ['part'], isOfProcess: true }, () => [[['1'], 3]]);
  return metrics.families();
}

it('mergeMetrics adds up the values of processes, except those without a meaningful sum', async () => {
  const merged = mergeMetrics([
    { process: 1, families: await familiesOf(10) },
    { process: 2, families: await familiesOf(5) },
  ]);
  expect(textOf(merged)).toBe(`# HELP requests Requests.
# TYPE requests counter
requests{route="/"} 15
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{le="1"} 2
seconds_bucket{le="+Inf"} 2
seconds_sum 1
seconds_count 2
# HELP open Open.
# TYPE open gauge
open 2
# HELP memory Memory.
# TYPE memory gauge
memory{process="1"} 7
memory{process="2"} 7
# HELP delay Delay.
# TYPE delay gauge
delay{process="1",part="1"} 3
delay{process="2",part="1"} 3
`);
});

it('CollectedMetrics keeps the counters of a process that has ended, but not its other values', async () => {
  const collected = new CollectedMetrics();
  const value = (name: string): number | undefined =>
    new Map(collected.merged().flatMap(({ series }) => series)).get(name);
  collected.set(1, await familiesOf(10));
  collected.set(2, await familiesOf(5));
  collected.end(1);
  expect([value('requests{route="/"}'), value('open'), value('memory{process="1"}')]).toEqual([
    15,
    1,
    undefined,
  ]);
  collected.set(1, await familiesOf(2));
  collected.end(1);
  collected.end(1);
  expect([value('requests{route="/"}'), value('seconds_count')]).toEqual([17, 3]);
  collected.set(2, await familiesOf(6));
  expect(value('requests{route="/"}')).toBe(18);
});
