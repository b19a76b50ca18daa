import { join } from 'node:path';
import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import type { ContentExporter, StatedContent } from '../manifest/content.ts';
import type { Body } from '../manifest/kind.ts';
import type { ManifestState } from '../manifest/manifest-state.ts';
import { mapConcurrent } from '../manifest/map-concurrent.ts';
import { isSafePath, safeName } from './export-paths.ts';
import { planExport, type ExportedFile, type ExportPlan } from './plan-export.ts';
import { oidsOf, readFolder } from './read-folder.ts';
import { compareFolder, withOids } from './write-folder.ts';
import { listTranslations } from '../resources/translations/contract.ts';
import type { Progress } from '../contract/progress.ts';
import { eachPage } from '../contract/each-page.ts';
import { openContent, type ContentReader } from './space-content.ts';
import { someOf, type FileBytes, type FileToBe, type FileWrites } from './export-folder.ts';

/** Whether an export may have written a path as content of a space. */
export function isContentPath(path: string): boolean {
  return /^content\/[^/]+\/./.test(path) && isSafePath(path);
}

/** The folder that an earlier export gave to a space, as its lock says. */
export function contentDirs(lock: ManifestState): (spaceId: string) => string | undefined {
  const spaces = lock
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
  /** The folder of the export, where it is there. */
  readonly there: string | undefined;
  /** Spaces that are read at once. */
  readonly jobs: number;
  /** The folder that an earlier export gave to a space. */
  readonly dirOf: (spaceId: string) => string | undefined;
  /** Bytes of pages that are kept from comparing to writing; what is beyond is read again when it is written. */
  readonly mostHeld?: number;
  readonly signal: AbortSignal;
  readonly showProgress: (label: string, total: number) => Progress;
}

/** A space, as it is at one revision, and the folder that it goes to. */
interface SpaceFolder {
  readonly dir: string;
  readonly spaceId: string;
  readonly revisionId: string;
  readonly title: string;
}

/** How the folder of a space differs from the space. */
interface Compared {
  readonly place: SpaceFolder;
  readonly unlisted: boolean;
  readonly writes: FileWrites;
  readonly warnings: readonly string[];
  /** What is to be written, by path below the folder of the space; absent where it is too much to keep. */
  held: ReadonlyMap<string, ExportedFile['content']> | undefined;
}

/** The content of spaces as folders of an export: compared space by space while the manifest is made, written when nothing stands in the way. */
export class ContentFolders implements ContentExporter {
  readonly #options: ContentOptions;
  #compared: readonly Compared[] = [];
  /** Titles of spaces that translations write. */
  #translated: readonly string[] = [];
  #room: number;

  constructor(options: ContentOptions) {
    this.#options = options;
    this.#room = options.mostHeld ?? 64 * 1024 * 1024;
  }

  get writes(): readonly FileWrites[] {
    return this.#compared.map(({ writes }) => writes);
  }

  get warnings(): readonly string[] {
    const left = this.#translated.map(
      (title) => `the content of the space "${title}" is left out: a translation writes it`,
    );
    return [...left, ...this.#compared.flatMap(({ warnings }) => warnings)];
  }

  async place(
    spaces: readonly { readonly body: Body; readonly name: string }[],
  ): Promise<readonly (StatedContent | undefined)[]> {
    const targets = await this.#targets();
    const isTranslated = ({ body }: { readonly body: Body }): boolean =>
      targets.has(body.id) && this.#options.dirOf(body.id) === undefined;
    this.#translated = spaces
      .filter(isTranslated)
      .map(({ body }) => (body as Body & { readonly title: string }).title);
    const stated = await this.#place(spaces.filter((space) => !isTranslated(space)));
    let next = 0;
    return spaces.map((space) => (isTranslated(space) ? undefined : stated[next++]));
  }

  /** Ids of the spaces that translations write: stated as content, an apply would turn back what they did since. */
  async #targets(): Promise<ReadonlySet<string>> {
    const { api, organization } = this.#options;
    const { signal } = this.#options;
    const targets = new Set<string>();
    try {
      const pages = eachPage((page) =>
        api.call(
          listTranslations,
          { params: { organizationId: organization }, query: page === undefined ? {} : { page } },
          { signal },
        ),
      );
      for await (const { items } of pages)
        for (const { result } of items) if (result !== undefined) targets.add(result.space);
    } catch (error) {
      // A server without them, or a token that may not see them: then there are none to look after.
      if (
        !(error instanceof Problem) ||
        !['not-found', 'not-implemented', 'forbidden'].includes(error.reason)
      )
        throw error;
    }
    return targets;
  }

  async #place(
    spaces: readonly { readonly body: Body; readonly name: string }[],
  ): Promise<readonly (StatedContent | undefined)[]> {
    const dirs = dirsFor(spaces, this.#options.dirOf);
    const progress = this.#options.showProgress('read the content of spaces', spaces.length);
    const places = spaces.map(({ body }, index): SpaceFolder => {
      const { id, revision, title } = body as Body & { readonly revision: string; readonly title: string };
      return { dir: dirs[index]!, spaceId: id, revisionId: revision, title };
    });
    try {
      const compared = await mapConcurrent(places, this.#options.jobs, async (place) => {
        progress.note(place.dir);
        const one = await this.#in(place, (content) => this.#compare(place, content));
        progress.tick();
        return one;
      });
      this.#compared = compared.filter((one) => one !== undefined);
      return compared.map(
        (one) => one && { dir: one.place.dir, ...(one.unlisted ? { unlisted: 'hidden' } : {}) },
      );
    } finally {
      progress.done();
    }
  }

  /** The files that are new or changed, space by space. */
  async *read(): AsyncGenerator<FileBytes> {
    for (const one of this.#compared) {
      const { place, held } = one;
      const wanted = [...one.writes.create, ...one.writes.replace].map(({ path }) => path);
      if (wanted.length === 0) continue;
      const contents =
        held ?? (await this.#in(place, async (content) => contentsOf(planExport(await content.read(true)))));
      one.held = undefined;
      for (const path of wanted) {
        this.#checkStopped();
        const given = contents.get(path.slice(place.dir.length + 1))!;
        yield {
          path,
          bytes:
            'bytes' in given
              ? given.bytes
              : await this.#in(place, (content) => content.download(given.fileId)),
        };
      }
    }
  }

  /** What of folders that were written an apply would not take, in words. */
  async leftOut(root: string, written: ReadonlyMap<string, unknown>): Promise<string[]> {
    const notes: string[] = [];
    for (const { place, unlisted, writes } of this.#compared) {
      if (
        !writes.create.some(({ path }) => written.has(path)) &&
        !writes.replace.some(({ path }) => written.has(path))
      )
        continue;
      try {
        const taken = oidsOf(
          await readFolder(join(root, place.dir), {
            unlisted: unlisted ? 'hidden' : 'skip',
            mayLackPages: true,
          }),
        );
        const left = Object.values(writes).flatMap((files: readonly FileToBe[]) =>
          files.flatMap(({ path }) => (taken.has(path.slice(place.dir.length + 1)) ? [] : [path])),
        );
        if (left.length > 0)
          notes.push(
            `an apply elsewhere leaves out what no page links to, or is too large: ${someOf(left, 5)}`,
          );
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        notes.push(`${place.dir} cannot be applied: ${error.message}`);
      }
    }
    return notes;
  }

  async #compare(place: SpaceFolder, content: ContentReader): Promise<Compared | undefined> {
    const read = await content.read(true);
    if (read.pages.length + read.files.length === 0) return undefined;
    const plan = planExport(read);
    const writes = { create: [] as FileToBe[], replace: [] as FileToBe[], same: [] as FileToBe[] };
    for (const file of plan.files) {
      const path = `${place.dir}/${file.path}`;
      // One by one, so that the bytes of one file only are at hand.
      const known = await withOids(this.#options.there, [{ ...file, path }], content.download);
      const { replace, same } = compareFolder(this.#options.there, known);
      writes[same.length > 0 ? 'same' : replace.length > 0 ? 'replace' : 'create'].push({
        path,
        oid: known[0]!.oid,
      });
    }
    const warnings = plan.warnings.map(({ file, message }) => `${place.dir}/${file}: ${message}`);
    return { place, unlisted: plan.unlisted > 0, writes, warnings, held: this.#hold(place, plan, writes) };
  }

  #hold({ dir }: SpaceFolder, plan: ExportPlan, { create, replace }: FileWrites): Compared['held'] {
    const paths = new Set([...create, ...replace].map(({ path }) => path.slice(dir.length + 1)));
    const contents = new Map([...contentsOf(plan)].filter(([path]) => paths.has(path)));
    const size = [...contents.values()].reduce(
      (sum, given) => sum + ('bytes' in given ? given.bytes.length : 0),
      0,
    );
    if (size > this.#room) return undefined;
    this.#room -= size;
    return contents;
  }

  #checkStopped(): void {
    if (this.#options.signal.aborted)
      throw new Problem('interrupted', 'Stopped by a signal.', { hint: 'Export again to write the rest.' });
  }

  /** Reads a space as it was when it was listed, and says which it was where that fails. */
  async #in<T>(place: SpaceFolder, work: (content: ContentReader) => Promise<T>): Promise<T> {
    const { signal } = this.#options;
    this.#checkStopped();
    const { dir, spaceId, revisionId, title } = place;
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
        hint = 'Export again, or leave content out with --no-content.',
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

function contentsOf({ files }: ExportPlan): Map<string, ExportedFile['content']> {
  return new Map(files.map(({ path, content }) => [path, content]));
}

/** A folder for each space: the one that it had, else one of its name. Names that differ in capitals only are one folder on some disks. */
function dirsFor(
  spaces: readonly { readonly body: Body; readonly name: string }[],
  dirOf: ContentOptions['dirOf'],
): string[] {
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
  return spaces.map(({ name }, index) => {
    const dir = `content/${safeName(name)}`;
    let free = kept[index] ?? take(dir);
    for (let number = 2; free === undefined; number++) free = take(`${dir}-${number}`);
    return free;
  });
}
