import { join } from 'node:path';
import type { Api } from '../contract/api.ts';
import { yieldToEvents } from '../contract/event-loop.ts';
import { listSome } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { ContentExporter, StatedContent } from '../manifest/content.ts';
import type { Body } from '../manifest/kind.ts';
import type { ManifestState } from '../manifest/manifest-state.ts';
import { mapConcurrent } from '../manifest/map-concurrent.ts';
import { isSafePath, safeName } from './export-paths.ts';
import { planExport, type ExportedFile, type ExportPlan } from './plan-export.ts';
import { listOids, readFolder } from './read-folder.ts';
import { planWrites, hashUnknownFiles } from './write-folder.ts';
import { listTranslations } from '../resources/translations/contract.ts';
import type { Progress } from '../contract/progress.ts';
import { eachItem } from '../contract/each-page.ts';
import { openContent, type ContentReader } from './space-content.ts';
import type { FileBytes, FileWrites, PlannedFile } from './export-folder.ts';

/** Whether an export of content can have written a path. */
export function isContentPath(path: string): boolean {
  return /^content\/[^/]+\/./.test(path) && isSafePath(path);
}

/** Returns a function that finds the folder of a space by its id in the state of an earlier export. */
export function findContentDirs(state: ManifestState): (spaceId: string) => string | undefined {
  const spaces = state
    .entries()
    .flatMap(([, { kind, id, fields }]) =>
      kind === 'space' ? [[id, fields['content'] as { readonly dir?: unknown } | undefined] as const] : [],
    );
  const dirs = new Map(
    spaces.flatMap(([id, content]) => (typeof content?.dir === 'string' ? [[id, content.dir] as const] : [])),
  );
  return (spaceId) => dirs.get(spaceId);
}

interface ContentOptions {
  readonly api: Api;
  readonly organization: string;
  /** The existing folder of the export; undefined if there is none. */
  readonly there: string | undefined;
  readonly jobs: number;
  readonly dirOf: (spaceId: string) => string | undefined;
  /** Maximum bytes of pages that are kept in memory between comparing and writing (default 64 MiB). The rest is read again. */
  readonly maxHeldBytes?: number;
  readonly signal: AbortSignal;
  readonly showProgress: (label: string, total: number) => Progress;
}

interface SpaceFolder {
  readonly dir: string;
  readonly spaceId: string;
  readonly revisionId: string;
  readonly title: string;
}

interface ComparedSpace {
  readonly target: SpaceFolder;
  readonly unlisted: boolean;
  readonly writes: FileWrites;
  readonly warnings: readonly string[];
  /** The contents to write, by path below the folder of the space; undefined if they are too large for memory. */
  held: ReadonlyMap<string, ExportedFile['content']> | undefined;
}

/**
 * Exports the content of spaces as folders. It compares them space by space while the manifest is made, and writes them later.
 */
export class ContentFolders implements ContentExporter {
  readonly #options: ContentOptions;
  #compared: readonly ComparedSpace[] = [];
  #translated: readonly string[] = [];
  #freeBytes: number;

  constructor(options: ContentOptions) {
    this.#options = options;
    this.#freeBytes = options.maxHeldBytes ?? 64 * 1024 * 1024;
  }

  get writes(): readonly FileWrites[] {
    return this.#compared.map(({ writes }) => writes);
  }

  get warnings(): readonly string[] {
    const left = this.#translated.map(
      (title) => `the content of the space "${title}" is not exported, because a translation writes it`,
    );
    return [...left, ...this.#compared.flatMap(({ warnings }) => warnings)];
  }

  async place(
    spaces: readonly { readonly body: Body; readonly name: string }[],
  ): Promise<readonly (StatedContent | undefined)[]> {
    const targets = await this.#targets();
    const isTranslated = ({ body }: { body: Body }): boolean =>
      targets.has(body.id) && this.#options.dirOf(body.id) === undefined;
    this.#translated = spaces
      .filter(isTranslated)
      .map(({ body }) => (body as Body & { readonly title: string }).title);
    const stated = await this.#place(spaces.filter((space) => !isTranslated(space)));
    let next = 0;
    return spaces.map((space) => (isTranslated(space) ? undefined : stated[next++]));
  }

  /**
   * Returns the IDs of spaces that are targets of translations. An apply of their exported content would revert later
   * translations.
   */
  async #targets(): Promise<ReadonlySet<string>> {
    const { api, organization, signal } = this.#options;
    const targets = new Set<string>();
    try {
      const input = { params: { organizationId: organization } };
      for await (const { result } of eachItem(api, listTranslations, input, { signal }))
        if (result !== undefined) targets.add(result.space);
    } catch (error) {
      // The server has no translations, or the token may not read them.
      const isAbsent =
        error instanceof Problem && ['not-found', 'not-implemented', 'forbidden'].includes(error.reason);
      if (!isAbsent) throw error;
    }
    return targets;
  }

  async #place(
    spaces: readonly { readonly body: Body; readonly name: string }[],
  ): Promise<readonly (StatedContent | undefined)[]> {
    const progress = this.#options.showProgress('reading the content of spaces', spaces.length);
    const targets = assignDirs(spaces, this.#options.dirOf).map(({ body, dir }): SpaceFolder => {
      const { id, revision, title } = body as Body & { readonly revision: string; readonly title: string };
      return { dir, spaceId: id, revisionId: revision, title };
    });
    try {
      const compared = await mapConcurrent(targets, this.#options.jobs, async (target) => {
        progress.note(target.dir);
        const space = await this.#read(target, (content) => this.#compare(target, content));
        progress.tick();
        return space;
      });
      this.#compared = compared.filter((space) => space !== undefined);
      return compared.map(
        (space) => space && { dir: space.target.dir, ...(space.unlisted ? { unlisted: 'hidden' } : {}) },
      );
    } finally {
      progress.done();
    }
  }

  async *read(): AsyncGenerator<FileBytes> {
    for (const space of this.#compared) {
      const { target, held, writes } = space;
      const files = [...writes.create, ...writes.replace];
      if (files.length === 0) continue;
      const contents =
        held ??
        (await this.#read(target, async (content) => contentsByPath(planExport(await content.read(true)))));
      space.held = undefined;
      for (const { path } of files) {
        const content = contents.get(path.slice(target.dir.length + 1));
        if (content === undefined) continue;
        const bytes =
          'bytes' in content
            ? content.bytes
            : await this.#read(target, (reader) => reader.download(content.fileId));
        yield { path, bytes };
      }
    }
  }

  /** Returns sentences about content that an apply of the written folders would leave out. */
  async leftOut(root: string, written: ReadonlyMap<string, unknown>): Promise<string[]> {
    const notes: string[] = [];
    for (const { target, unlisted, writes } of this.#compared) {
      if (![...writes.create, ...writes.replace].some(({ path }) => written.has(path))) continue;
      try {
        const taken = listOids(
          await readFolder(join(root, target.dir), {
            unlisted: unlisted ? 'hidden' : 'skip',
            mayLackPages: true,
          }),
        );
        const left = Object.values(writes).flatMap((files: readonly PlannedFile[]) =>
          files.flatMap(({ path }) => (taken.has(path.slice(target.dir.length + 1)) ? [] : [path])),
        );
        if (left.length > 0)
          notes.push(
            `an apply to another place skips files that no page links to and files that are too large: ${listSome(left)}`,
          );
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        notes.push(`${target.dir} cannot be applied: ${error.message}`);
      }
    }
    return notes;
  }

  async #compare(target: SpaceFolder, content: ContentReader): Promise<ComparedSpace | undefined> {
    const read = await content.read(true);
    if (read.pages.length + read.files.length === 0) return undefined;
    const plan = planExport(read);
    const writes = { create: [] as PlannedFile[], replace: [] as PlannedFile[], same: [] as PlannedFile[] };
    for (const file of plan.files) {
      await yieldToEvents(this.#options.signal);
      const path = `${target.dir}/${file.path}`;
      // One by one, so that only the bytes of one file are in memory.
      const known = await hashUnknownFiles(this.#options.there, [{ ...file, path }], content.download);
      const { replace, same } = planWrites(this.#options.there, known);
      const list = same.length > 0 ? 'same' : replace.length > 0 ? 'replace' : 'create';
      writes[list].push(...known.map(({ oid }) => ({ path, oid })));
    }
    const warnings = plan.warnings.map(({ file, message }) => `${target.dir}/${file}: ${message}`);
    return { target, unlisted: plan.unlisted > 0, writes, warnings, held: this.#hold(target, plan, writes) };
  }

  #hold({ dir }: SpaceFolder, plan: ExportPlan, { create, replace }: FileWrites): ComparedSpace['held'] {
    const paths = new Set([...create, ...replace].map(({ path }) => path.slice(dir.length + 1)));
    const contents = new Map([...contentsByPath(plan)].filter(([path]) => paths.has(path)));
    const size = [...contents.values()].reduce(
      (sum, content) => sum + ('bytes' in content ? content.bytes.length : 0),
      0,
    );
    if (size > this.#freeBytes) return undefined;
    this.#freeBytes -= size;
    return contents;
  }

  async #read<T>(target: SpaceFolder, work: (content: ContentReader) => Promise<T>): Promise<T> {
    const { signal } = this.#options;
    await yieldToEvents(signal);
    const { dir, spaceId, revisionId, title } = target;
    try {
      return await work(await openContent(this.#options.api, { spaceId, revisionId }, signal));
    } catch (error) {
      if (
        !(error instanceof Problem) ||
        ['interrupted', 'not-implemented', 'method-not-allowed'].includes(error.reason)
      )
        throw error;
      const {
        reason,
        message,
        hint = 'Export again, or skip content with --no-content.',
        violations,
        requestId,
      } = error;
      throw new Problem(
        reason,
        `The content of the space "${title}" (${dir}) could not be exported: ${message}`,
        { hint, violations, requestId, cause: error },
      );
    }
  }
}

function contentsByPath({ files }: ExportPlan): Map<string, ExportedFile['content']> {
  return new Map(files.map(({ path, content }) => [path, content]));
}

/**
 * Assigns a folder to each space: its previous one, or else one made from its name. Names that differ only in case count as
 * equal, because some disks ignore case.
 */
function assignDirs(
  spaces: readonly { readonly body: Body; readonly name: string }[],
  dirOf: ContentOptions['dirOf'],
): { readonly body: Body; readonly dir: string }[] {
  const taken = new Set<string>();
  const take = (dir: string): string | undefined => {
    if (taken.has(dir.toLowerCase())) return undefined;
    taken.add(dir.toLowerCase());
    return dir;
  };
  const kept = spaces.map(({ body }) => {
    const dir = dirOf(body.id) ?? '';
    return /^content\/\w[\w-]*$/.test(dir) && isSafePath(dir) ? take(dir) : undefined;
  });
  return spaces.map(({ body, name }, index) => {
    const dir = `content/${safeName(name)}`;
    let free = kept[index] ?? take(dir);
    for (let number = 2; free === undefined; number++) free = take(`${dir}-${number}`);
    return { body, dir: free };
  });
}
