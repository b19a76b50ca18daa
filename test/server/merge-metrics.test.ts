import { describe, expect, it } from 'vitest';
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

describe('CollectedMetrics', () => {
  const collect = () => {
    const collected = new CollectedMetrics();
    const value = (name: string): number | undefined =>
      new Map(collected.merged().flatMap(({ series }) => series)).get(name);
    return { collected, value, requests: () => value('requests{route="/"}') };
  };

  it('keeps the counters of a process that has ended, but not its other values', async () => {
    const { collected, value, requests } = collect();
    const [first, second] = [collected.add(1), collected.add(2)];
    first.set(await familiesOf(10), 1);
    second.set(await familiesOf(5), 2);
    first.end();
    expect([requests(), value('open'), value('memory{process="1"}')]).toEqual([15, 1, undefined]);
    const replacement = collected.add(1);
    replacement.set(await familiesOf(2), 3);
    replacement.end();
    expect([requests(), value('seconds_count')]).toEqual([17, 3]);
    second.set(await familiesOf(6), 4);
    expect(requests()).toBe(18);
  });

  it('never falls if the answer of a process arrives after its end, or after a later answer', async () => {
    const { collected, requests } = collect();
    const [first, second] = [collected.add(1), collected.add(2)];
    first.set(await familiesOf(10), 1);
    first.end();
    first.set(await familiesOf(12), 2);
    collected.add(1).set(await familiesOf(1), 3);
    expect(requests()).toBe(11);
    second.set(await familiesOf(7), 5);
    second.set(await familiesOf(6), 4);
    second.end();
    expect(requests()).toBe(18);
  });

  it('adds up sums of seconds to the same number in every order', async () => {
    const { collected, value } = collect();
    const took = async (seconds: number) => {
      const metrics = new Metrics();
      metrics.histogram('seconds', 'Time.', [], [1]).observe([], seconds);
      return metrics.families();
    };
    const [first, second, third] = [collected.add(1), collected.add(2), collected.add(3)];
    third.set(await took(0.4), 1);
    third.end();
    first.set(await took(0.1), 2);
    second.set(await took(0.1), 3);
    const before = value('seconds_sum');
    first.end();
    expect([before, value('seconds_sum')]).toEqual([0.6, 0.6]);
  });
});
