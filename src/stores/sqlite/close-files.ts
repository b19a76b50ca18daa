import { setTimeout } from 'node:timers/promises';

/**
 * Closes the files of closed connections. The binding closes them when their statements are garbage-collected. Until then, new
 * connections would use the same files, even those opened read-only.
 */
export async function closeFiles(): Promise<void> {
  // Loading these takes a millisecond, and most processes never need them.
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ]);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 2; round++) {
    collect();
    // The files are closed in a later turn of the event loop.
    await setTimeout(10);
  }
}
