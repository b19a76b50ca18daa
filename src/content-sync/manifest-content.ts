import { realpathSync } from 'node:fs';
import type { Api } from '../contract/api.ts';
import type { InputOf, Operation, OutputOf } from '../contract/operation.ts';
import type { Static } from '../contract/schema.ts';
import { orUndefined, Problem } from '../errors/problem.ts';
import type { ContentEngine, ContentSource } from '../manifest/content.ts';
import type { FieldDiff } from '../manifest/kind.ts';
import { digest } from '../manifest/value.ts';
import { confineFolder } from '../files/confine-folder.ts';
import type { Warning } from './folder.ts';
import { compareExported } from './compare-folder.ts';
import type { ImportPlan } from './plan-import.ts';
import { readFolder, refuseNoPages, type MarkdownFolder } from './read-folder.ts';
import { warningsOfChanges } from './changed-warnings.ts';
import { sendImport, countChanges } from './send-import.ts';
import {
  createChangeRequest,
  listChangeRequests,
  mergeChangeRequest,
  syncChangeRequest,
  updateChangeRequest,
  type ChangeRequest,
} from '../resources/change-requests/contract.ts';
import { batchContent } from '../resources/content/change-request/contract.ts';
import { getSpace } from '../resources/spaces/contract.ts';
import { compareSince, type ContentComparison } from './compare-since.ts';
import { describePlan, describeWithNames } from './describe-plan.ts';
import { eachItem } from '../contract/each-page.ts';
import { openContent, type ContentRef } from './space-content.ts';
import type { ContentChange } from '../content/changes.ts';
import { defined, flattenPages, listSome } from '../contract/values.ts';

type Request = Static<typeof ChangeRequest>;

interface EngineOptions {
  /** Opens the Api. Called when the first space is read. */
  readonly api: () => Promise<Api>;
  /** The folder of the manifest. Nothing outside of it is read. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Reads a folder (default: from the disk, without a cache). */
  readonly read?: typeof readFolder;
  /** Called with the warnings about the changed files of a folder, once for each folder. */
  readonly onWarnings?: (dir: string, warnings: readonly Warning[]) => void;
  /** Called with the changes from the folder of a space, when a plan describes them. */
  readonly onPlanned?: (spaceId: string, plan: ImportPlan, source: FolderRoot) => void;
  /** Called if a plan would replace pages that were changed in the organization since the last apply. */
  readonly onOverwrite?: (spaceId: string, dir: string, pages: readonly string[]) => void;
  /** Called with a description of the changes that were sent from a folder and merged. */
  readonly onMerged?: (dir: string, summary: string, changeRequest: number) => void;
  /** Called with a folder that waits in a change request. `isReported`: a Problem reports it too. */
  readonly onWaiting?: (waiting: WaitingContent, isReported: boolean) => void;
}

/** A folder and the root of its documentation. */
interface FolderRoot {
  readonly dir: string;
  readonly root: string;
}

/** A folder whose content is in a change request that must be approved or merged by another member. */
export interface WaitingContent {
  readonly dir: string;
  readonly space: string;
  readonly changeRequest: number;
  /** The command that merges it. */
  readonly merge: string;
  /** The command that approves it, if an apply can merge it after that. */
  readonly approve?: string;
}

/** A comparison with the folder that it was made with. */
interface FolderComparison extends ContentComparison {
  readonly folder: MarkdownFolder;
}

/** The differences between a folder and the live content. */
interface PendingContent extends FolderComparison {
  /** The unmerged change request of an earlier run. It will be updated. */
  readonly request: Request | undefined;
  /** The differences from the target of the import: from that change request, or from the space. */
  readonly target: ContentComparison;
  /** The content that plans compare with: the space, or with `merge: none` the change request of the last apply. */
  readonly compared: ContentComparison;
}

/** Makes the engine that imports folders of Markdown into the spaces of a manifest, like `spaces import`. */
export function createContentEngine(options: EngineOptions): ContentEngine {
  const engine = new SpaceContentEngine(options);
  return {
    refusal: (dir) => engine.refusal(dir),
    plan: (spaceId, source) => engine.plan(spaceId, source),
    describe: (spaceId, source, left) => engine.describe(spaceId, source, left),
    apply: (spaceId, source) => engine.apply(spaceId, source),
    fingerprint: (spaceId, source) => engine.fingerprint(spaceId, source),
  };
}

class SpaceContentEngine {
  readonly #options: EngineOptions;
  readonly #root: string;
  readonly #warned = new Set<string>();
  readonly #merged = new Map<string, string>();
  /** Hashes of the contents and changes in the last plan, by the ID of the space. */
  readonly #planned = new Map<string, string>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#root = realpathSync(options.folder);
  }

  refusal(dir: string): string | undefined {
    const confined = confineFolder(this.#root, this.#root, dir);
    return 'refused' in confined ? confined.refused : undefined;
  }

  async plan(spaceId: string, source: ContentSource): Promise<string | undefined> {
    const open = await this.compare(spaceId, source);
    if (open === undefined) return undefined;
    const { compared } = open;
    const hash = hashOf(compared);
    this.#planned.set(spaceId, hash);
    return `${describePlan(compared.plan, compared.content)} (${hash})`;
  }

  /** @throws Problem(precondition-failed) if the space or the folder has changed since it was planned */
  async apply(spaceId: string, source: ContentSource): Promise<void> {
    const open = await this.compare(spaceId, source);
    if (open === undefined) return;
    const planned = this.#planned.get(spaceId);
    if (planned !== undefined && planned !== hashOf(open.compared))
      throw new Problem(
        'precondition-failed',
        `The space or its folder ${source.dir} has changed since the plan was made. docsctl did not replace any page.`,
        { hint: 'Run `docsctl plan` to see the changes, then run `docsctl apply` again.' },
      );
    await this.#send(spaceId, source, open);
  }

  /**
   * Compares a folder with the space, and with its waiting change request if they differ. Returns undefined if nothing differs.
   */
  async compare(spaceId: string, source: ContentSource): Promise<PendingContent | undefined> {
    const now = await this.#compare({ spaceId }, source);
    if (countChanges(now.plan) === 0) return undefined;
    const { dir } = source;
    if (!this.#warned.has(dir))
      this.#options.onWarnings?.(dir, warningsOfChanges(now.folder, now.plan, now.content));
    this.#warned.add(dir);
    const request = await this.#findRequest(spaceId, source);
    if (request === undefined) return { ...now, request, target: now, compared: now };
    const target = await this.#compare({ spaceId, changeRequestId: request.id }, source);
    if (countChanges(target.plan) > 0 || source.merge === 'auto')
      return { ...now, request, target, compared: source.merge === 'none' ? target : now };
    this.#reportWaiting(spaceId, source, request);
    return undefined;
  }

  #reportWaiting(space: string, { dir }: ContentSource, request: Request): void {
    this.#options.onWaiting?.(
      {
        dir,
        space,
        changeRequest: request.number,
        merge: commandOn('change-requests merge', request, space),
      },
      false,
    );
  }

  #waitingProblem(
    { reason, message, violations, requestId }: Problem,
    space: string,
    { dir }: ContentSource,
    request: Request,
  ): Problem {
    const changeRequest = request.number;
    const merge = commandOn('change-requests merge', request, space);
    const approve = commandOn('change-requests reviews submit', request, space, '--status approved');
    const isApproval = reason === 'conflict';
    this.#options.onWaiting?.({ dir, space, changeRequest, merge, ...(isApproval ? { approve } : {}) }, true);
    const why = message.replace(/^Change request \d+ cannot be merged yet: /, '');
    return new Problem(
      'changes-pending',
      `The content of ${dir} waits in change request ${changeRequest}: ${why}`,
      {
        hint: isApproval
          ? `A reviewer approves it with \`${approve}\`; the next apply merges it.`
          : `A member with the review role merges it with \`${merge}\`.`,
        violations,
        requestId,
      },
    );
  }

  /** Describes the differences: the names of pages, the side that changed, and live changes that an apply overwrites. */
  async describe(spaceId: string, source: ContentSource, left: string | undefined): Promise<FieldDiff> {
    const open = await this.compare(spaceId, source);
    if (open === undefined) return { summary: 'nothing' };
    const { request, target, compared: now } = open;
    this.#options.onPlanned?.(spaceId, open.plan, { dir: source.dir, root: open.folder.root });
    const then = left === undefined ? undefined : await this.#compareLast(spaceId, source, left);
    const { moved, undone } =
      then === undefined
        ? { moved: left === undefined ? undefined : ('both' as const), undone: [] }
        : compareSince(then, now);
    if (undone.length > 0) this.#options.onOverwrite?.(spaceId, source.dir, undone);
    const summary = [
      describeWithNames(now.plan, now.content),
      ...(undone.length === 0 ? [] : [`overwrites live changes: ${listSome(undone)}`]),
      ...(then === undefined && left !== undefined
        ? ['may overwrite live changes: the content of the last apply is no longer available']
        : []),
      ...(request === undefined
        ? []
        : [
            countChanges(target.plan) === 0
              ? `waits in change request ${request.number}`
              : `will be added to change request ${request.number}, which waits`,
          ]),
    ].join('; ');
    return defined({ summary, moved });
  }

  async #send(spaceId: string, source: ContentSource, open: PendingContent): Promise<void> {
    const request =
      open.request ??
      (await this.#call(createChangeRequest, { params: { spaceId }, body: { subject: subjectOf(source) } }));
    const params = { spaceId, changeRequestId: request.id };
    const isBehind = open.request?.outdated === true;
    try {
      if (isBehind && countChanges(open.target.plan) > 0) await this.#bringUpToDate(spaceId, source, request);
      else await this.#fill(params, open.target.plan);
    } catch (error) {
      // The change request is archived, so that incomplete content is not merged. The next run sends it again.
      if (open.request === undefined)
        await (
          await this.#options.api()
        )
          .call(updateChangeRequest, { params, body: { status: 'archived' } })
          .catch(() => undefined);
      throw error;
    }
    if (source.merge === 'none') return this.#reportWaiting(spaceId, source, request);
    try {
      await this.#merge(params).catch(async (error: unknown) => {
        if (
          !isBehind ||
          countChanges(open.target.plan) > 0 ||
          !(error instanceof Problem) ||
          error.reason !== 'conflict'
        )
          throw error;
        await this.#bringUpToDate(spaceId, source, request);
        await this.#merge(params);
      });
    } catch (error) {
      if (!(await this.#isForOthers(error, spaceId))) throw unmergedProblem(error, source, request);
      throw this.#waitingProblem(error as Problem, spaceId, source, request);
    }
    this.#options.onMerged?.(source.dir, describePlan(open.plan, open.content), request.number);
  }

  /** Whether another member can make the merge possible, by an approval or by merging. */
  async #isForOthers(error: unknown, spaceId: string): Promise<boolean> {
    if (!(error instanceof Problem)) return false;
    if (error.reason !== 'conflict') return error.reason === 'forbidden';
    const { editMode, mergeRules } = await this.#call(getSpace, { params: { spaceId } });
    return editMode !== 'locked' && mergeRules.type !== 'none';
  }

  /** Returns the revision with the applied content, even if it is not merged yet. */
  async fingerprint(spaceId: string, source: ContentSource): Promise<string> {
    const known = this.#merged.get(spaceId);
    if (known !== undefined) return known;
    const request = source.merge === 'none' ? await this.#findRequest(spaceId, source) : undefined;
    return request?.revision ?? (await this.#call(getSpace, { params: { spaceId } })).revision;
  }

  async #merge(params: { readonly spaceId: string; readonly changeRequestId: string }): Promise<void> {
    const { revision } = await this.#call(mergeChangeRequest, { params, body: {} });
    this.#merged.set(params.spaceId, revision);
  }

  async #call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>> {
    const api = await this.#options.api();
    return api.call(operation, input, { signal: this.#options.signal });
  }

  async #fill(
    params: { readonly spaceId: string; readonly changeRequestId: string },
    plan: ImportPlan,
  ): Promise<void> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    const send = (changes: ContentChange[]) => {
      if (signal.aborted) throw new Problem('interrupted', 'Interrupted.');
      return api.call(batchContent, { params, body: { changes } }, { signal });
    };
    await sendImport(plan, send, { remote: /^https?:/.test(api.place) });
  }

  /** Merges the current content of the space into a change request, and then the content of the folder. */
  async #bringUpToDate(
    spaceId: string,
    source: ContentSource,
    { id: changeRequestId }: Request,
  ): Promise<void> {
    const params = { spaceId, changeRequestId };
    await this.#call(syncChangeRequest, { params, body: { take: 'ours' } });
    await this.#fill(params, (await this.#compare(params, source)).plan);
  }

  /** Compares the folder with the result of the last apply; undefined if that revision cannot be read. */
  #compareLast(
    spaceId: string,
    source: ContentSource,
    revisionId: string,
  ): Promise<ContentComparison | undefined> {
    const compared = this.#compare({ spaceId, revisionId }, source);
    return orUndefined(compared, 'not-found', 'not-implemented', 'method-not-allowed');
  }

  async #compare(place: ContentRef, { dir, unlisted }: ContentSource): Promise<FolderComparison> {
    const { signal, read = readFolder } = this.#options;
    const api = await this.#options.api();
    const refused = this.refusal(dir);
    if (refused !== undefined)
      throw new Problem('invalid-input', `The content of a space cannot be read: ${refused}.`);
    const path = `${this.#root}/${dir}`;
    const folder = await read(path, { unlisted: unlisted ?? 'skip', mayLackPages: true, shown: dir, signal });
    const opened = await openContent(api, place, signal);
    const { current: content, plan } = await compareExported(opened, folder, path);
    refuseNoPages(folder, content, dir);
    return { plan, content, folder };
  }

  async #findRequest(spaceId: string, source: ContentSource): Promise<Request | undefined> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    for (const status of ['draft', 'open'] as const) {
      const input = { params: { spaceId }, query: { status } };
      for await (const request of eachItem(api, listChangeRequests, input, { signal }))
        if (request.subject === subjectOf(source)) return request;
    }
    return undefined;
  }
}

/** Hashes a content and the changes from its folder, to detect later changes of either. */
function hashOf({ content: { pages, texts, files }, plan }: ContentComparison): string {
  return digest([
    flattenPages(pages).map((page) => [{ ...page, urls: null, pages: null }, page.pages?.length]),
    texts,
    files.map(({ id, git, hash }) => [id, git, hash]),
    plan,
  ]);
}

/** Returns a subject of at most 100 characters with the end of a long path. */
function subjectOf({ dir }: ContentSource): string {
  const subject = `Content of ${dir}`;
  return subject.length <= 100 ? subject : `Content of …${dir.slice(-88)}`;
}

/** Reports that the content was sent but not merged. The next apply merges it. */
function unmergedProblem(error: unknown, { dir }: ContentSource, { number }: Request): unknown {
  if (!(error instanceof Problem) || error.reason === 'interrupted') return error;
  const { reason, message, hint, violations, requestId } = error;
  return new Problem(
    reason,
    `The content of ${dir} is in change request ${number}, which was not merged: ${message}`,
    { hint, violations, requestId, cause: error },
  );
}

function commandOn(verb: string, { number }: Request, spaceId: string, more = ''): string {
  return `docsctl ${verb} ${number} --space ${spaceId}${more === '' ? '' : ` ${more}`}`;
}
