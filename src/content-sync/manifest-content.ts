import { realpathSync } from 'node:fs';
import type { Api } from '../contract/api.ts';
import type { Static } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import type { ContentEngine, ContentSource } from '../manifest/content.ts';
import type { FieldDiff } from '../manifest/kind.ts';
import { confineFolder } from '../manifest/read/content-dirs.ts';
import type { Warning } from './folder.ts';
import { viewAsExported } from './view-as-exported.ts';
import type { ExportedFile } from './plan-export.ts';
import { needsTexts, planImport, type ImportPlan } from './plan-import.ts';
import { planReimport } from './plan-reimport.ts';
import { listOids, readFolder, noPagesProblem, type MarkdownFolder } from './read-folder.ts';
import { sendImport, countChanges } from './send-import.ts';
import { compareFolder } from './write-folder.ts';
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
import { describePlan, describeWithNames, someNames } from './describe-plan.ts';
import { eachPage } from '../contract/each-page.ts';
import { openContent, type ContentRef } from './space-content.ts';
import type { ContentChange } from '../content/changes.ts';
import { defined } from '../contract/values.ts';

type Request = Static<typeof ChangeRequest>;

interface EngineOptions {
  /** Opened when the first space is looked at. */
  readonly api: () => Promise<Api>;
  /** The folder of the manifest; nothing outside of it is read. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Told once for each folder. */
  readonly onWarnings?: ((dir: string, warnings: readonly Warning[]) => void) | undefined;
  /** Told of a folder that was sent, and of the change request in which it waits for somebody to merge it; `isTold`: a Problem says so as well. */
  readonly onWaiting?: ((waiting: WaitingContent, isTold: boolean) => void) | undefined;
}

/** A folder whose content is in a change request that somebody else merges. */
export interface WaitingContent {
  readonly dir: string;
  readonly space: string;
  readonly changeRequest: number;
  /** The command that merges it. */
  readonly merge: string;
  /** The command that approves it, where an apply merges it then. */
  readonly approve?: string;
}

/** Where a folder still differs from what is live, and what it takes. */
interface PendingContent extends ContentComparison {
  /** A change request of an earlier run that nobody has merged yet: it is brought up to date. */
  readonly request: Request | undefined;
  /** The same where it goes: in that change request, or in the space. */
  readonly there: ContentComparison;
}

/** Brings folders of Markdown into the spaces of a manifest, as `spaces import` does. */
export function createContentEngine(options: EngineOptions): ContentEngine {
  const engine = new SpaceContentEngine(options);
  return {
    refusal: (dir) => engine.refusal(dir),
    plan: async (spaceId, source) => {
      const open = await engine.compare(spaceId, source);
      return open === undefined
        ? undefined
        : describePlan(source.merge === 'none' ? open.there.plan : open.plan);
    },
    describe: (spaceId, source, left) => engine.tell(spaceId, source, left),
    apply: async (spaceId, source) => {
      const open = await engine.compare(spaceId, source);
      if (open !== undefined) await engine.send(spaceId, source, open);
    },
    fingerprint: (spaceId, source) => engine.leave(spaceId, source),
  };
}

class SpaceContentEngine {
  readonly #options: EngineOptions;
  readonly #root: string;
  readonly #told = new Set<string>();
  /** The revision that a merge made, by space. */
  readonly #merged = new Map<string, string>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#root = realpathSync(options.folder);
  }

  refusal(dir: string): string | undefined {
    const confined = confineFolder(this.#root, this.#root, dir);
    return 'refused' in confined ? confined.refused : undefined;
  }

  /** Compares with the space, and where that differs with the change request that waits; undefined: nothing is left to do. */
  async compare(spaceId: string, source: ContentSource): Promise<PendingContent | undefined> {
    const now = await this.#compare({ spaceId }, source);
    if (countChanges(now.plan) === 0) return undefined;
    const request = await this.#waiting(spaceId, source);
    if (request === undefined) return { ...now, request, there: now };
    const there = await this.#compare({ spaceId, changeRequestId: request.id }, source);
    if (countChanges(there.plan) > 0 || source.merge === 'auto') return { ...now, request, there };
    this.#tellWaiting(spaceId, source, request);
    return undefined;
  }

  #tellWaiting(space: string, { dir }: ContentSource, request: Request): void {
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

  /** What was sent stays where it can be looked at and approved. */
  #waits(
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
          ? `Somebody who may approve it does so with \`${approve}\`; the next apply merges it.`
          : `Somebody who may merge it does so with \`${merge}\`.`,
        violations,
        requestId,
      },
    );
  }

  /** What differs, with the names of pages, who moved, and what an apply takes back of what was changed live. */
  async tell(spaceId: string, source: ContentSource, left: string | undefined): Promise<FieldDiff> {
    const open = await this.compare(spaceId, source);
    if (open === undefined) return { summary: 'nothing' };
    const { request, there } = open;
    // What waits for somebody is no less left there than what is live.
    const now = source.merge === 'none' ? there : open;
    const then = left === undefined ? undefined : await this.#then(spaceId, source, left);
    const { moved, undone } =
      then === undefined
        ? { moved: left === undefined ? undefined : ('both' as const), undone: [] }
        : compareSince(then, now);
    const says = [
      describeWithNames(now.plan, now.content),
      ...(undone.length === 0 ? [] : [`overwrites what was changed live: ${someNames(undone)}`]),
      ...(then === undefined && left !== undefined
        ? [
            'overwrites what was changed live, if anything was: what the last apply left cannot be read any more',
          ]
        : []),
      ...(request === undefined
        ? []
        : [
            countChanges(there.plan) === 0
              ? `waits in change request ${request.number}`
              : `goes into change request ${request.number}, which waits`,
          ]),
    ].join('; ');
    return defined({ summary: says, moved });
  }

  async send(spaceId: string, source: ContentSource, open: PendingContent): Promise<void> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    const request =
      open.request ??
      (await api.call(
        createChangeRequest,
        { params: { spaceId }, body: { subject: subjectOf(source) } },
        { signal },
      ));
    const params = { spaceId, changeRequestId: request.id };
    const isBehind = open.request?.outdated === true;
    try {
      if (isBehind && countChanges(open.there.plan) > 0) await this.#bringUpToDate(spaceId, source, request);
      else await this.#fill(params, open.there.plan);
    } catch (error) {
      // What is half sent is not left for somebody to merge; the next run sends it anew.
      if (open.request === undefined)
        await api.call(updateChangeRequest, { params, body: { status: 'archived' } }).catch(() => undefined);
      throw error;
    }
    if (source.merge === 'none') return this.#tellWaiting(spaceId, source, request);
    try {
      await this.#merge(params).catch(async (error: unknown) => {
        if (
          !isBehind ||
          countChanges(open.there.plan) > 0 ||
          !(error instanceof Problem) ||
          error.reason !== 'conflict'
        )
          throw error;
        await this.#bringUpToDate(spaceId, source, request);
        await this.#merge(params);
      });
    } catch (error) {
      if (!(await this.#isForOthers(error, spaceId))) throw unmergedProblem(error, source, request);
      throw this.#waits(error as Problem, spaceId, source, request);
    }
  }

  /** Whether a merge was refused for what somebody else can do: approve what the merge rules ask for, or merge it. */
  async #isForOthers(error: unknown, spaceId: string): Promise<boolean> {
    if (!(error instanceof Problem)) return false;
    if (error.reason !== 'conflict') return error.reason === 'forbidden';
    const { signal } = this.#options;
    const { editMode, mergeRules } = await (
      await this.#options.api()
    ).call(getSpace, { params: { spaceId } }, { signal });
    return editMode !== 'locked' && mergeRules.type !== 'none';
  }

  /** What shows later what was left: the revision that holds it, also where nobody has merged that yet. */
  async leave(spaceId: string, source: ContentSource): Promise<string> {
    const { signal } = this.#options;
    const known = this.#merged.get(spaceId);
    if (known !== undefined) return known;
    const request = source.merge === 'none' ? await this.#waiting(spaceId, source) : undefined;
    return (
      request?.revision ??
      (await (await this.#options.api()).call(getSpace, { params: { spaceId } }, { signal })).revision
    );
  }

  async #merge(params: { readonly spaceId: string; readonly changeRequestId: string }): Promise<void> {
    const { revision } = await (
      await this.#options.api()
    ).call(mergeChangeRequest, { params, body: {} }, { signal: this.#options.signal });
    this.#merged.set(params.spaceId, revision);
  }

  async #fill(
    params: { readonly spaceId: string; readonly changeRequestId: string },
    plan: ImportPlan,
  ): Promise<void> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    const send = (changes: ContentChange[]) => {
      if (signal.aborted) throw new Problem('interrupted', 'Stopped by a signal.');
      return api.call(batchContent, { params, body: { changes } }, { signal });
    };
    await sendImport(plan, send, { remote: /^https?:/.test(api.place) });
  }

  /** What the space has meanwhile comes into a change request, and over that what the folder says. */
  async #bringUpToDate(
    spaceId: string,
    source: ContentSource,
    { id: changeRequestId }: Request,
  ): Promise<void> {
    const params = { spaceId, changeRequestId };
    await (
      await this.#options.api()
    ).call(syncChangeRequest, { params, body: { take: 'ours' } }, { signal: this.#options.signal });
    await this.#fill(params, (await this.#compare(params, source)).plan);
  }

  /** What the last apply left, compared with the folder as it is; undefined where that revision cannot be read. */
  async #then(
    spaceId: string,
    source: ContentSource,
    revisionId: string,
  ): Promise<ContentComparison | undefined> {
    try {
      return await this.#compare({ spaceId, revisionId }, source);
    } catch (error) {
      if (
        error instanceof Problem &&
        ['not-found', 'not-implemented', 'method-not-allowed'].includes(error.reason)
      )
        return undefined;
      throw error;
    }
  }

  async #compare(place: ContentRef, { dir, unlisted }: ContentSource): Promise<ContentComparison> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    const refused = this.refusal(dir);
    if (refused !== undefined)
      throw new Problem('invalid-input', `The content of a space cannot be read: ${refused}.`);
    const path = `${this.#root}/${dir}`;
    const folder = await readFolder(path, { unlisted: unlisted ?? 'skip', mayLackPages: true });
    if (!this.#told.has(dir)) this.#options.onWarnings?.(dir, folder.warnings);
    this.#told.add(dir);
    const opened = await openContent(api, place, signal);
    const content = await opened.read(false);
    if (folder.pages.length === 0 && content.pages.length > 0) throw noPagesProblem();
    const plan = planImport(
      needsTexts(content, folder) ? { ...content, texts: await opened.texts() } : content,
      folder,
    );
    if (countChanges(plan) === 0 || content.pages.length + content.files.length === 0)
      return { plan, content };
    // An import would give pages made by hand the places that they have in the folder; by itself that is nothing to do.
    const known = viewAsExported(await opened.read(true), folder);
    return {
      plan: isAsExported(path, folder, known.files) ? nothing : planReimport(known.content, folder),
      content,
    };
  }

  /** The change request of this folder that nobody has merged yet, by its subject. */
  async #waiting(spaceId: string, source: ContentSource): Promise<Request | undefined> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    for (const status of ['draft', 'open'] as const) {
      for await (const { items } of eachPage((page) =>
        api.call(
          listChangeRequests,
          { params: { spaceId }, query: defined({ status, limit: 500, page }) },
          { signal },
        ),
      )) {
        const found = items.find(({ subject }) => subject === subjectOf(source));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

const nothing: ImportPlan = { pages: [], texts: [], files: [], deletedFiles: [] };

/** Whether a folder holds what an export writes, and nothing else that an import takes. */
function isAsExported(path: string, folder: MarkdownFolder, files: readonly ExportedFile[]): boolean {
  const there = listOids(folder);
  const known = new Set(files.map((file) => file.path));
  if (
    [...there.keys()].some((each) => !known.has(each)) ||
    files.some((file) => there.has(file.path) && there.get(file.path) !== file.oid)
  )
    return false;
  // Files that nothing links to are written, and not taken.
  const others = files.filter((file) => !there.has(file.path));
  try {
    return compareFolder(path, others).same.length === others.length;
  } catch (error) {
    if (error instanceof Problem && error.reason === 'guard-refused') return false;
    throw error;
  }
}

/** At most 100 characters, which the API takes; the end of a long path says most. */
function subjectOf({ dir }: ContentSource): string {
  const subject = `Content of ${dir}`;
  return subject.length <= 100 ? subject : `Content of …${dir.slice(-88)}`;
}

/** What was sent stays, for the next apply to merge. */
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
