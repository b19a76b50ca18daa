import { Problem } from '../../../errors/problem.ts';
import type { StoreTarget } from '../../../stores/backup/restore.ts';
import type { Session } from '../../session.ts';
import { storeUrlOf } from '../../settings.ts';

/** Returns the embedded store of the settings. @throws Problem(usage) if they name a server */
export async function targetOf({ runtime, settings }: Session, what: string): Promise<StoreTarget> {
  if (settings.server !== undefined)
    throw new Problem('usage', `${what} works on a store, and the settings name a server.`, {
      hint: `Name the store with --store, on the machine of the server (the server comes from ${settings.server.from}).`,
    });
  const url = runtime.env['DOCSCTL_BLOBS'];
  const target = await targetAt(runtime.cwd, storeUrlOf(runtime, settings));
  if (!url) return target;
  const { openBlobs } = await runtime.wiring();
  return { ...target, blobs: await openBlobs(runtime, url, settings.caFile) };
}

/** Returns the store at a URL, with all tables. */
export async function targetAt(cwd: string, url: string): Promise<StoreTarget> {
  const { tables } = await import('../../../resources/tables.ts');
  return { url, tables, cwd };
}
