import type { Api } from '../../contract/api.ts';
import { withoutMergeRules } from '../../content-sync/rehearse-content.ts';
import { embeddedApi, type Core } from '../../core/embedded.ts';
import { Problem } from '../../errors/problem.ts';
import { createChangeRequest, mergeChangeRequest } from '../../resources/change-requests/contract.ts';
import { tables } from '../../resources/tables.ts';
import { openOverlay } from '../../stores/overlay.ts';

/** An organization that can be changed without changing the store: what is written stays in memory. */
export interface Draft {
  readonly core: Core;
  /** Acts as the owner of the store. */
  readonly api: Api;
}

/** Opens a draft on top of a core. It sends nothing to other services and runs no scripts. */
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

/** Changes a space of a draft as a merged change request would, whatever its merge rules are. */
export async function changeSpace(
  { api }: Draft,
  spaceId: string,
  change: (params: { readonly spaceId: string; readonly changeRequestId: string }) => Promise<void>,
): Promise<void> {
  await withoutMergeRules(api, spaceId, async () => {
    const { id } = await api.call(createChangeRequest, { params: { spaceId }, body: { subject: 'Preview' } });
    const params = { spaceId, changeRequestId: id };
    await change(params);
    await api.call(mergeChangeRequest, { params });
  });
}
