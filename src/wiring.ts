import type { Api } from './contract/api.ts';
import type { Runtime } from './cli/runtime.ts';
import { defaultStore, type Settings } from './cli/settings.ts';
import type { Credential } from './core/callers.ts';
import type { Core } from './core/embedded.ts';
import { Problem } from './errors/problem.ts';

/** Base of the URLs in answers, unless `serve --public-url` says otherwise. */
export const defaultPublicUrl = 'http://localhost:8080';

/** The Api that the settings name: an embedded store, or a server; what is heavy is loaded here, when it is used. */
export async function openApi(runtime: Runtime, settings: Settings, note: (message: string) => void): Promise<Api> {
  if (settings.server !== undefined) {
    if (settings.as !== undefined) throw new Problem('usage', '--as is for an embedded store; on a server the token says who calls.');
    const { remoteApi } = await import('./client/remote.ts');
    const { createIds } = await import('./core/ids.ts');
    const newId = createIds(runtime.clock);
    return remoteApi({
      server: settings.server.value,
      ...(settings.token === undefined ? {} : { token: settings.token.value }),
      version: runtime.version,
      newKey: () => newId('key'),
      retries: 2,
      now: runtime.clock,
      onNote: note,
    });
  }
  const core = await openCore(runtime, storeOf(runtime, settings));
  const { embeddedApi } = await import('./core/embedded.ts');
  const credential: Credential = settings.as === undefined ? { kind: 'owner' } : { kind: 'member', email: settings.as.value };
  return embeddedApi(core, credential);
}

/** The URL of the embedded store that the settings name. */
export function storeOf(runtime: Runtime, settings: Settings): string {
  return settings.store?.value ?? defaultStore(runtime);
}

export interface CoreOptions {
  readonly publicUrl?: string;
  /** Makes a store that is not there: what `init` does. Else a mistyped path would be an empty store. */
  readonly create?: boolean;
}

/** The core on a store. */
export async function openCore(runtime: Runtime, storeUrl: string, { publicUrl = defaultPublicUrl, create = false }: CoreOptions = {}): Promise<Core> {
  const [{ openStore }, { tables }, { createIds }, { handlerOf }] = await Promise.all([
    import('./stores/index.ts'),
    import('./core/tables.ts'),
    import('./core/ids.ts'),
    import('./resources/index.ts'),
  ]);
  const store = await openStore(storeUrl, { tables, create });
  return { store, clock: runtime.clock, newId: createIds(runtime.clock), randomBytes: runtime.randomBytes, publicUrl, handlerOf };
}
