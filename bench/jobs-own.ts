// Runs jobs that do nothing on a store, and prints how many a second: run-source.js jobs-own.ts URL JOBS ORGANIZATIONS WORKERS
import { randomBytes } from 'node:crypto';
import { createIds, randomFractions } from '../src/core/ids.ts';
import type { Core } from '../src/core/embedded.ts';
import { enqueue } from '../src/core/jobs.ts';
import { startWorkers } from '../src/core/workers.ts';
import { tables } from '../src/resources/tables.ts';
import { openStore } from '../src/stores/index.ts';

/** Jobs that one write requests. */
const batchSize = 500;

async function main(url: string, jobs: number, organizations: number, workers: number): Promise<void> {
  const store = await openStore(url, { tables });
  const newId = createIds(
    Date.now,
    randomFractions((count) => randomBytes(count)),
  );
  // The workers use nothing else of it.
  const core = { store, clock: Date.now, newId, randomBytes, env: {}, engineOf } as unknown as Core;
  for (let first = 0; first < jobs; first += batchSize)
    await store.write(async (tx) => {
      const now = new Date().toISOString();
      for (let nth = first; nth < Math.min(jobs, first + batchSize); nth++)
        await enqueue(tx, now, {
          kind: 'bench',
          organization: `org_${nth % organizations}`,
          subject: String(nth),
        });
    });
  // Workers that wait for jobs do not keep a process running.
  const awake = setInterval(() => {}, 1000);
  const [began, used] = [performance.now(), process.cpuUsage()];
  let left = jobs;
  await new Promise<void>((resolve) => {
    const running = startWorkers(core, {
      count: workers,
      onEnd: (_, { end }) => {
        if (end === 'done' && --left === 0) void running.stop(5000).then(resolve);
      },
      onError: (error) => console.error(error),
    });
  });
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(used);
  clearInterval(awake);
  await store.close();
  console.log(JSON.stringify({ perSecond: jobs / seconds, cpu: (user + system) / 1000 / jobs }));
}

const engineOf = () => Promise.resolve({ run: () => Promise.resolve() });

const [, , , url = '', jobs = '', organizations = '', workers = ''] = process.argv;
void main(url, Number(jobs), Number(organizations), Number(workers));
