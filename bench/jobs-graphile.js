// Runs jobs that do nothing with graphile-worker, and prints how many a second: jobs-graphile.js FOLDER URL JOBS WORKERS
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [, , folder = '', connectionString = '', jobs = '', workers = ''] = process.argv;
const { Logger, makeWorkerUtils, run } = createRequire(join(folder, 'package.json'))('graphile-worker');
const options = {
  connectionString,
  schema: `bench_${randomBytes(6).toString('hex')}`,
  logger: new Logger(() => () => {}),
};
const utils = await makeWorkerUtils(options);
await utils.migrate();
const batchSize = 500;
for (let first = 0; first < Number(jobs); first += batchSize)
  await utils.addJobs(
    Array.from({ length: Math.min(batchSize, Number(jobs) - first) }, () => ({ identifier: 'bench' })),
  );
const [began, used] = [performance.now(), process.cpuUsage()];
const runner = await run({
  ...options,
  concurrency: Number(workers),
  noHandleSignals: true,
  taskList: { bench: async () => {} },
});
let left = Number(jobs);
await new Promise((resolve) => {
  runner.events.on('job:complete', () => {
    if (--left === 0) resolve(undefined);
  });
});
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(used);
console.log(
  JSON.stringify({ perSecond: Number(jobs) / seconds, cpu: (user + system) / 1000 / Number(jobs) }),
);
await runner.stop();
await utils.release();
