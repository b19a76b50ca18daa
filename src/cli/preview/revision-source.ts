import type { Api } from '../../contract/api.ts';
import type { Core } from '../../core/embedded.ts';
import { isProblem } from '../../errors/problem.ts';
import { getChangeRequest, mergeChangeRequest } from '../../resources/change-requests/contract.ts';
import { restoreContent } from '../../resources/content/change-request/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import { changeSpace, withoutMergeRules } from '../../content-sync/rehearse-content.ts';
import { withListHints } from '../names/not-found.ts';
import { openDraft, type Draft } from './draft.ts';
import type { PreviewSource } from './preview-source.ts';

/** Shows the store's content, published or not. */
export class StoreSource implements PreviewSource {
  readonly problems: readonly string[] = [];
  readonly core: Core;

  constructor(base: Core) {
    // Reads may update indexes, which must not change the store.
    this.core = openDraft(base).core;
  }

  // The content is always read from the store.
  async update(): Promise<boolean> {
    return false;
  }
}

export class RevisionSource implements PreviewSource {
  readonly problems: readonly string[] = [];
  readonly #draft: Draft;
  readonly #revision: { readonly spaceId: string; readonly revisionId: string };
  #isMade = false;

  constructor(base: Core, revision: { spaceId: string; revisionId: string }) {
    this.#draft = openDraft(base);
    this.#revision = revision;
  }

  get core(): Core {
    return this.#draft.core;
  }

  /** @throws Problem(not-found) at the first call for an unknown revision */
  async update(): Promise<boolean> {
    if (this.#isMade) return false;
    await restore(this.#draft, this.#revision.spaceId, this.#revision.revisionId);
    return (this.#isMade = true);
  }
}

/** Shows a space with a change request merged, and follows changes of both. */
export class ChangeRequestSource implements PreviewSource {
  problems: readonly string[] = [];
  readonly #base: Core;
  readonly #params: { readonly spaceId: string; readonly changeRequestId: string };
  readonly #read: Api;
  #draft: Draft;
  #shown: string | undefined;

  constructor(base: Core, params: { spaceId: string; changeRequestId: string }) {
    this.#base = base;
    this.#params = params;
    this.#draft = openDraft(base);
    this.#read = withListHints(this.#draft.api);
  }

  get core(): Core {
    return this.#draft.core;
  }

  async update(): Promise<boolean> {
    const { spaceId } = this.#params;
    const { revision, status } = await this.#read.call(getChangeRequest, { params: this.#params });
    const { revision: live } = await this.#read.call(getSpace, { params: { spaceId } });
    const state = JSON.stringify([revision, status, live]);
    if (state === this.#shown) return false;
    const draft = openDraft(this.#base);
    this.problems = status === 'merged' ? [] : await this.#merge(draft, revision);
    this.#draft = draft;
    this.#shown = state;
    return true;
  }

  async #merge(draft: Draft, revision: string): Promise<string[]> {
    const { spaceId } = this.#params;
    try {
      await withoutMergeRules(draft.api, spaceId, async () => {
        await draft.api.call(mergeChangeRequest, { params: this.#params });
      });
      return [];
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
      await restore(draft, spaceId, revision);
      return [`${error.message} This shows the change request without the later changes in its space.`];
    }
  }
}

async function restore(draft: Draft, spaceId: string, revision: string): Promise<void> {
  await changeSpace(draft.api, spaceId, async (params) => {
    await withListHints(draft.api).call(restoreContent, { params, body: { revision } });
  });
}
