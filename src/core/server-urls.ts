import { settings, type SettingRow } from './rows/organizations.ts';
import type { Store } from './store.ts';

/**
 * The URLs in answers until a server has served the store or a setting has set them. `docsctl serve --sites-port 8081` has these
 * URLs.
 */
export const defaultServerUrls = {
  publicUrl: 'http://localhost:8080',
  sitesUrl: 'http://localhost:8081',
} as const;

/** The URLs of a server: of its API, and of its published sites. Without `sitesUrl`, it shows no sites. */
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
