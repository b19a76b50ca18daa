import { settings, type SettingRow } from './rows/organizations.ts';
import type { Store } from './store.ts';

/**
 * The URLs in answers until a server has shown the store, or a setting says where it is shown: those of
 * `docsctl serve --sites-port 8081`.
 */
export const defaultServerUrls = {
  publicUrl: 'http://localhost:8080',
  sitesUrl: 'http://localhost:8081',
} as const;

/** Where a server shows its API and its published sites. Without `sitesUrl`, it shows no sites. */
export interface ServerUrls {
  readonly publicUrl: string;
  readonly sitesUrl?: string | undefined;
}

/** Returns the URLs of the latest server of a store; undefined before the first one. */
export async function readServerUrls(store: Store): Promise<ServerUrls | undefined> {
  const row = await store.read((view) => view.get(settings, 'store'));
  const { publicUrl, sitesUrl } = row ?? {};
  return publicUrl === undefined ? undefined : { publicUrl, sitesUrl };
}

/** Keeps the URLs of a server in its store, so that commands on the store show the addresses of the server. */
export async function rememberServerUrls(store: Store, { publicUrl, sitesUrl }: ServerUrls): Promise<void> {
  const known = await readServerUrls(store);
  if (known?.publicUrl === publicUrl && known.sitesUrl === sitesUrl) return;
  await store.write(async (tx) => {
    if ((await tx.get(settings, 'store')) !== undefined)
      await tx.update(settings, 'store', { publicUrl, sitesUrl } as Partial<SettingRow>);
  });
}
