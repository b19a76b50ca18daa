// Loaded into the processes of a server with `node --import`: at SIGUSR2 they collect garbage, and write how much memory is still in use
// to a file in the folder that BENCH_MEMORY names. Its name is the ID of the process.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['BENCH_MEMORY'];
if (isMainThread && folder !== undefined) {
  const file = join(folder, String(process.pid));
  setFlagsFromString('--expose-gc');
  const collect = /** @type {() => void} */ (runInNewContext('gc'));
  process.on('SIGUSR2', () => {
    // What finalizers let go in the first round is collected in the second.
    collect();
    setImmediate(() => {
      collect();
      writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
      renameSync(`${file}.new`, file);
    });
  });
}
