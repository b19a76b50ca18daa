import { realpathSync, statSync } from 'node:fs';
import type { Api } from '../contract/api.ts';
import type { Static } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import type { ContentEngine, ContentSource } from '../manifest/content.ts';
import { confine } from '../manifest/read/confine.ts';
import type { Warning } from '../markdown-folder/folder.ts';
import { asExported } from '../markdown-folder/as-exported.ts';
import type { ExportedFile } from '../markdown-folder/plan-export.ts';
import { needsTexts, planImport, type ImportPlan } from '../markdown-folder/plan-import.ts';
import { planReimport } from '../markdown-folder/plan-reimport.ts';
import { oidsOf, readFolder, withoutPages, type MarkdownFolder } from '../markdown-folder/read-folder.ts';
import { sendImport, sizeOf } from '../markdown-folder/send-import.ts';
import { compareFolder } from '../markdown-folder/write-folder.ts';
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
    const plan = await this.#planFor({ spaceId }, source);
    if (sizeOf(plan) === 0) return undefined;
    const request = source.merge === 'none' ? await this.#waiting(spaceId, source) : undefined;
    if (request === undefined) return { plan, request };
    const inRequest = await this.#planFor({ spaceId, changeRequestId: request.id }, source);
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

  async #planFor(place: ContentPlace, { dir, unlisted }: ContentSource): Promise<ImportPlan> {
    const { signal } = this.#options;
    const api = await this.#options.api();
    const refused = this.refusal(dir);
    if (refused !== undefined) throw new Problem('invalid-input', `The content of a space cannot be read: ${refused}.`);
    const path = `${this.#root}/${dir}`;
    const folder = await readFolder(path, { unlisted: unlisted ?? 'skip', mayLackPages: true });
    if (!this.#told.has(dir)) this.#options.onWarnings?.(dir, folder.warnings);
    this.#told.add(dir);
    const content = await openContent(api, place, signal);
    const current = await content.read(false);
    if (folder.pages.length === 0 && current.pages.length > 0) throw withoutPages();
    const plan = planImport(needsTexts(current, folder) ? { ...current, texts: await content.texts() } : current, folder);
    if (sizeOf(plan) === 0 || current.pages.length + current.files.length === 0) return plan;
    // An import would give pages made by hand the places that they have in the folder; by itself that is nothing to do.
    const known = asExported(await content.read(true), folder);
    return isWritten(path, folder, known.files) ? nothing : planReimport(known.content, folder);
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

const nothing: ImportPlan = { pages: [], texts: [], files: [], deletedFiles: [] };

/** Whether a folder holds what an export writes, and nothing else that an import takes. */
function isWritten(path: string, folder: MarkdownFolder, files: readonly ExportedFile[]): boolean {
  const there = oidsOf(folder);
  const known = new Set(files.map((file) => file.path));
  if ([...there.keys()].some((each) => !known.has(each)) || files.some((file) => there.has(file.path) && there.get(file.path) !== file.oid)) return false;
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
