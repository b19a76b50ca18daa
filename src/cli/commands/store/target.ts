import { Problem } from '../../../errors/problem.ts';
import type { StoreTarget } from '../../../stores/backup/restore.ts';
import type { Session } from '../../session/session.ts';
import { storeUrlOf } from '../../settings/settings.ts';

/** Returns the embedded store of the settings. @throws Problem(usage) if they name a server */
export async function targetOf(session: Session, what: string): Promise<StoreTarget> {
  const { server } = session.settings;
  if (server !== undefined)
    throw new Problem(
      'usage',
      `${what} works only on the machine of the store, but ${server.from} names a server.`,
      { hint: 'Run it there, and name the store with --store.' },
    );
  return embeddedTarget(session);
}

/** Returns the store in the settings with its blob storage. Use it only if the settings name no server. */
export async function embeddedTarget({ runtime, settings }: Session): Promise<StoreTarget> {
  const url = runtime.env['DOCSCTL_BLOBS'];
  const target = await storeAt(runtime.cwd, storeUrlOf(runtime, settings));
  if (!url) return target;
  const { openBlobs } = await runtime.wiring();
  return { ...target, blobs: await openBlobs(runtime, url, settings.caFile) };
}

/** Returns the store at a URL, with all tables. */
export async function storeAt(cwd: string, url: string): Promise<StoreTarget> {
  const { tables } = await import('../../../resources/tables.ts');
  return { url, tables, cwd };
}
