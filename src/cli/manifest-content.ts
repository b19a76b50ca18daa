import { realpathSync, statSync } from 'node:fs';
import type { Api } from '../contract/api.ts';
import type { Static } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import type { ContentEngine, ContentSource } from '../manifest/content.ts';
import { confine } from '../manifest/read/confine.ts';
import type { Warning } from '../markdown-folder/folder.ts';
import { needsTexts, planImport, type ImportPlan } from '../markdown-folder/plan-import.ts';
import { readFolder } from '../markdown-folder/read-folder.ts';
import { sendImport, sizeOf } from '../markdown-folder/send-import.ts';
import { createChangeRequest, listChangeRequests, mergeChangeRequest, updateChangeRequest, type ChangeRequest } from '../resources/change-requests/contract.ts';
import { batchContent, type ContentChange } from '../resources/content/change-request/contract.ts';
import { eachPage } from './pages.ts';
import { openContent, type ContentPlace } from './space-content.ts';

type Request = Static<typeof ChangeRequest>;

interface EngineOptions {
  /** Opened when the first space is looked at. */
  readonly api: () => Promise<Api>;
  /** The folder of the manifest; nothing outside of it is read. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Told once for each folder. */
  readonly onWarnings?: ((dir: string, warnings: readonly Warning[]) => void) | undefined;
}

/** Where a folder still differs from what is live, and what it takes. */
interface Open {
  readonly plan: ImportPlan;
  /** A change request of an earlier run that nobody has merged yet: it is brought up to date. */
  readonly request: Request | undefined;
}

/** Brings folders of Markdown into the spaces of a manifest, as `spaces import` does. */
export function createContentEngine(options: EngineOptions): ContentEngine {
  const engine = new Engine(options);
  return {
    refusal: (dir) => engine.refusal(dir),
    plan: async (spaceId, source) => {
      const open = await engine.compare(spaceId, source);
      return open === undefined ? undefined : describe(open.plan);
    },
    apply: async (spaceId, source) => {
      const open = await engine.compare(spaceId, source);
      if (open !== undefined) await engine.send(spaceId, source, open);
    },
  };
}

class Engine {
  readonly #options: EngineOptions;
  readonly #root: string;
  readonly #told = new Set<string>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#root = realpathSync(options.folder);
  }

  refusal(dir: string): string | undefined {
    const confined = confine(this.#root, this.#root, dir);
    if ('refused' in confined) return confined.refused;
    const { path } = confined;
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder) return `there is no folder ${JSON.stringify(dir)} beside the manifest`;
    return realpathSync(path) === path ? undefined : `${JSON.stringify(dir)} lies behind a symbolic link; links are not followed`;
  }

  /** Compares with the space, and where that differs with the change request that waits; undefined: nothing is left to send. */
  async compare(spaceId: string, source: ContentSource): Promise<Open | undefined> {
    const plan = await this.#planFor({ spaceId }, source.dir);
    if (sizeOf(plan) === 0) return undefined;
    const request = source.merge === 'none' ? await this.#waiting(spaceId, source) : undefined;
    if (request === undefined) return { plan, request };
    const inRequest = await this.#planFor({ spaceId, changeRequestId: request.id }, source.dir);
    return sizeOf(inRequest) === 0 ? undefined : { plan: inRequest, request };
  }

  async send(spaceId: string, source: ContentSource, { plan, request }: Open): Promise<void> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    const { id } = request ?? (await api.call(createChangeRequest, { params: { spaceId }, body: { subject: subjectOf(source) } }, { signal }));
    const params = { spaceId, changeRequestId: id };
    const send = (changes: ContentChange[]) => {
      if (signal.aborted) throw new Problem('interrupted', 'Stopped by a signal.');
      return api.call(batchContent, { params, body: { changes } }, { signal });
    };
    try {
      await sendImport(plan, send, { remote: /^https?:/.test(api.place) });
      if (source.merge === 'auto') await api.call(mergeChangeRequest, { params }, { signal });
    } catch (error) {
      // What is half sent is not left for somebody to merge; the next run sends it anew.
      if (request === undefined) await api.call(updateChangeRequest, { params, body: { status: 'archived' } }).catch(() => undefined);
      throw error;
    }
  }

  async #planFor(place: ContentPlace, dir: string): Promise<ImportPlan> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    const refused = this.refusal(dir);
    if (refused !== undefined) throw new Problem('invalid-input', `The content of a space cannot be read: ${refused}.`);
    const folder = await readFolder(`${this.#root}/${dir}`);
    if (!this.#told.has(dir)) this.#options.onWarnings?.(dir, folder.warnings);
    this.#told.add(dir);
    const content = await openContent(api, place, signal);
    const current = await content.read(false);
    return planImport(needsTexts(current, folder) ? { ...current, texts: await content.texts() } : current, folder);
  }

  /** The change request of this folder that nobody has merged yet, by its subject. */
  async #waiting(spaceId: string, source: ContentSource): Promise<Request | undefined> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    for (const status of ['draft', 'open'] as const) {
      for await (const { items } of eachPage((page) =>
        api.call(listChangeRequests, { params: { spaceId }, query: { status, limit: 500, ...(page === undefined ? {} : { page }) } }, { signal }),
      )) {
        const found = items.find(({ subject }) => subject === subjectOf(source));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}

/** At most 100 characters, which the API takes; the end of a long path says most. */
function subjectOf({ dir }: ContentSource): string {
  const subject = `Content of ${dir}`;
  return subject.length <= 100 ? subject : `Content of …${dir.slice(-88)}`;
}

/** `3 pages changed, 1 new; 1 file new` */
function describe({ pages, texts, files, deletedFiles }: ImportPlan): string {
  const changed = new Set(pages.flatMap((change) => (change.operation === 'update_page' ? [change.page] : []))).size;
  const count = (operation: ContentChange['operation']) => pages.filter((change) => change.operation === operation).length;
  const replaced = files.filter(({ replaces }) => replaces !== undefined).length;
  return [
    phrase('page', { changed, new: count('insert_page'), deleted: count('delete_page') }),
    phrase('file', { changed: replaced, new: files.length - replaced, deleted: deletedFiles.length }),
    phrase('text beside them', { changed: texts.length }),
  ]
    .filter((words) => words !== '')
    .join('; ');
}

function phrase(noun: string, counts: Readonly<Record<string, number>>): string {
  const [first, ...more] = Object.entries(counts).filter(([, count]) => count > 0);
  if (first === undefined) return '';
  const plural = first[1] === 1 ? noun : noun.replace(/^\w+/, '$&s');
  return [`${first[1]} ${plural} ${first[0]}`, ...more.map(([word, count]) => `${count} ${word}`)].join(', ');
}
