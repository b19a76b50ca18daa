import type { Core } from '../../core/embedded.ts';
import { getChangeRequest } from '../../resources/change-requests/contract.ts';
import { getSite, getSiteStructure } from '../../resources/sites/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import { spacesIn } from '../../resources/site-structure/spaces-in.ts';
import type { Session } from '../session/session.ts';
import { copySite } from './copy-site.ts';
import type { PreviewSource } from './preview-source.ts';
import { StoreSource } from './revision-source.ts';

export interface ServerSourceOptions {
  readonly organizationId: string;
  readonly siteId: string;
  /** A revision or change request to show instead of the content of its space. */
  readonly content?:
    | { readonly spaceId: string; readonly revisionId: string }
    | { readonly spaceId: string; readonly changeRequestId: string }
    | undefined;
  /** Returns a source on top of the copy, such as a folder. */
  readonly onTop?: ((core: Core) => PreviewSource) | undefined;
}

/** Milliseconds between two checks of the server. */
const interval = 3000;

/**
 * Shows a site of a server. It is copied into memory with the token of the user, and copied again when its content or the change
 * request has changed.
 */
export class ServerSource implements PreviewSource {
  readonly #session: Session;
  readonly #options: ServerSourceOptions;
  #shown: PreviewSource | undefined;
  #state: string | undefined;
  #notes: readonly string[] = [];
  #looked = 0;

  constructor(session: Session, options: ServerSourceOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** @throws Error before the first update */
  get core(): Core {
    if (this.#shown === undefined) throw new Error('The site was not copied yet.');
    return this.#shown.core;
  }

  get problems(): readonly string[] {
    return [...this.#notes, ...(this.#shown?.problems ?? [])];
  }

  async update(): Promise<boolean> {
    const { clock } = this.#session.runtime;
    const now = clock();
    if (this.#shown !== undefined && now - this.#looked < interval) return this.#shown.update();
    this.#looked = now;
    const { state, notes } = await this.#look();
    if (this.#shown !== undefined && state === this.#state) return this.#shown.update();
    const { core, omissions } = await copySite(this.#session, this.#options);
    for (const line of omissions) this.#session.note(`Not in the preview: ${line}`);
    const shown = this.#options.onTop?.(core) ?? new StoreSource(core);
    await shown.update();
    this.#shown = shown;
    this.#state = state;
    this.#notes = notes;
    return true;
  }

  /** Reads a text that changes when the site on the server changes. */
  async #look(): Promise<{ state: string; notes: readonly string[] }> {
    const { organizationId, siteId, content } = this.#options;
    const api = await this.#session.api();
    const params = { organizationId, siteId };
    const site = await api.call(getSite, { params });
    const { structure } = await api.call(getSiteStructure, { params });
    const revisions: string[] = [];
    for (const spaceId of spacesIn(structure))
      revisions.push((await api.call(getSpace, { params: { spaceId } })).revision);
    const change =
      content !== undefined && 'changeRequestId' in content
        ? await api.call(getChangeRequest, { params: content })
        : undefined;
    return {
      state: JSON.stringify([site, structure, revisions, change?.revision, change?.outdated]),
      notes:
        change?.outdated === true && change.status !== 'merged'
          ? [
              `Its space has changed since change request ${change.number} was made. This shows the change request without these changes.`,
            ]
          : [],
    };
  }
}
