import type { Api } from '../../contract/api.ts';
import { FolderReader } from '../../content-sync/folder-reader.ts';
import { createContentEngine } from '../../content-sync/manifest-content.ts';
import type { Core } from '../../core/embedded.ts';
import { Problem } from '../../errors/problem.ts';
import { readFolderState } from '../../files/folder-state.ts';
import { applyPlan } from '../../manifest/apply-plan.ts';
import { withContent } from '../../manifest/content.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import { planManifest } from '../../manifest/plan.ts';
import { tableForCopy } from '../../manifest/rehearse/tables.ts';
import { readState, type StateHandle } from '../../manifest/state-file.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { ReadOptions } from '../manifest/options.ts';
import { openTarget } from '../manifest/target.ts';
import { formatProblem } from '../manifest/watch-apply.ts';
import type { Session } from '../session/session.ts';
import { openDraft, type Draft } from './draft.ts';
import type { PreviewSource } from './preview-source.ts';

/** Shows an organization with an apply of a manifest, and follows changes of the manifest's files. */
export class ManifestSource implements PreviewSource {
  problems: readonly string[] = [];
  organization: string | undefined;
  readonly #session: Session;
  readonly #options: ReadOptions;
  readonly #draft: Draft;
  readonly #folders = new FolderReader();
  #root: string | undefined;
  #state: string | undefined;
  #handle: StateHandle | undefined;

  constructor(session: Session, base: Core, options: ReadOptions) {
    this.#session = session;
    this.#options = options;
    this.#draft = openDraft(base);
  }

  get core(): Core {
    return this.#draft.core;
  }

  /** @throws Problem at the first call if the manifest cannot be read or planned */
  async update(): Promise<boolean> {
    const state = this.#root === undefined ? undefined : await readFolderState(this.#root);
    if (state !== undefined && state === this.#state) return false;
    const isFirst = this.#root === undefined;
    this.#state = state;
    try {
      this.problems = await this.#apply();
    } catch (error) {
      if (isFirst || !(error instanceof Problem) || error.reason === 'interrupted') throw error;
      this.problems = [formatProblem(error)];
    }
    return true;
  }

  /** Applies the manifest to the draft. Returns what could not be done. */
  async #apply(): Promise<string[]> {
    const session = this.#session;
    const { cwd, signal } = session.runtime;
    const manifest = await loadManifest(session, this.#options);
    this.#root ??= manifest.files[0]?.root ?? cwd;
    // Taken before the apply, so that files that are written meanwhile count as changed.
    this.#state ??= await readFolderState(this.#root);
    const { organization, stateOptions } = await openTarget(session, manifest, {});
    this.organization = organization;
    const handle = (this.#handle ??= memoryHandle(readState(stateOptions)));
    // The plan and the state name the live backend.
    const api: Api = { ...this.#draft.api, place: stateOptions.place };
    const engine = createContentEngine({
      api: () => Promise.resolve(api),
      folder: this.#root,
      signal,
      // Usually something other than the content was edited.
      read: (dir, options) => this.#folders.read(dir, options),
    });
    const request = {
      api,
      organization,
      root: manifest.root,
      state: handle.state,
      // Do not wait for specifications, because a preview does not fetch them.
      table: withContent(tableForCopy(kinds, new Map()), engine),
      concurrency: 4,
      signal,
    };
    const { document } = await planManifest(request);
    const { rows } = await applyPlan({ ...request, document, handle, skipUnsupported: true });
    // A job parses texts of specifications in the manifest. Those with a URL are not fetched.
    if (rows.some(({ kind }) => kind === 'openapi'))
      await this.#draft.api.work?.({ kind: 'openapi', signal });
    return rows.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`${name}: ${formatProblem(problem)}`],
    );
  }
}

/** Returns a state in memory. The state file is not changed. */
function memoryHandle(state: StateHandle['state']): StateHandle {
  return { state, save: async () => state.advance(), release: async () => {} };
}
