import type { Api } from '../../contract/api.ts';
import { embeddedApi, type Core } from '../../core/embedded.ts';
import { Problem } from '../../errors/problem.ts';
import { tables } from '../../resources/tables.ts';
import { openOverlay } from '../../stores/overlay.ts';

/** An organization that can be changed without changing the store: writes stay in memory. */
export interface Draft {
  readonly core: Core;
  /** Acts as the owner of the store. */
  readonly api: Api;
}

/** Opens a draft on top of a core. It sends no requests to other services and runs no scripts. */
export function openDraft(base: Core): Draft {
  const core: Core = {
    ...base,
    store: openOverlay(base.store, tables),
    outgoing: ({ url }) =>
      Promise.reject(
        new Problem('unreachable', `${url} was not requested, because a preview sends no requests.`),
      ),
    lookUpHost: undefined,
    lookUpText: undefined,
    scripts: undefined,
    env: {},
  };
  return { core, api: embeddedApi(core, { kind: 'owner' }) };
}
