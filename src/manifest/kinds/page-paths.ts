import { getOrInsert, isRecord } from '../../contract/values.ts';
import { orUndefined, Problem } from '../../errors/problem.ts';
import { getContent } from '../../resources/content/space/contract.ts';
import type { PageBody } from '../../resources/content/schemas.ts';
import type { Backend } from '../kind.ts';

/** The published pages of a space, which manifests name by their paths. */
export interface PagePaths {
  readonly paths: readonly string[];
  /** Returns the path of a page; its ID if it no longer exists. */
  pathOf(pageId: string): string;
  /** Returns the ID of the page with a path or ID. @throws Problem(not-found), which names the space (default: by its ID) */
  idOf(path: string, spaceName?: string): string;
  /** Returns the title of a page; undefined if it no longer exists. */
  titleOf(pageId: string): string | undefined;
  /** Returns the name of a file; its ID if the file no longer exists or another file has the same name. */
  nameOfFile(fileId: string): string;
  /** Returns the ID of the file with a name or ID. @throws Problem(not-found) */
  idOfFile(name: string): string;
}

/** Reads the pages of spaces, each with one call. */
export type PageReader = (spaceId: string) => Promise<PagePaths>;

/** Returns a reader that reads the pages of each space once per plan. */
export function pagesAtPlan(backend: Backend): PageReader {
  return (spaceId) => backend.once(`pages ${spaceId}`, () => readPages(backend, spaceId));
}

/** Returns a reader for one call of an apply. It reads again, because earlier calls may have changed the pages. */
export function pagesNow(backend: Backend): PageReader {
  const known = new Map<string, Promise<PagePaths>>();
  return (spaceId) => getOrInsert(known, spaceId, () => readPages(backend, spaceId));
}

async function readPages(backend: Backend, spaceId: string): Promise<PagePaths> {
  const input = { params: { spaceId }, query: { texts: false, metadata: false } };
  const content = await orUndefined(backend.call(getContent, input), 'not-found');
  // A site can still link to pages of a deleted space.
  const { pages, files } = content ?? { pages: [], files: [] };
  const paths = new Map<string, string>();
  const ids = new Map<string, string>();
  const titles = new Map<string, string>();
  const add = (list: readonly PageBody[]): void => {
    for (const { id, path, title, pages: inside = [] } of list) {
      titles.set(id, title);
      if (path !== undefined) {
        paths.set(id, path);
        ids.set(path, id);
      }
      add(inside);
    }
  };
  add(pages);
  return {
    paths: [...ids.keys()],
    pathOf: (pageId) => paths.get(pageId) ?? pageId,
    titleOf: (pageId) => titles.get(pageId),
    nameOfFile: (fileId) => {
      const name = files.find(({ id }) => id === fileId)?.name ?? fileId;
      return files.filter((file) => file.name === name).length === 1 ? name : fileId;
    },
    idOfFile: (name) => {
      const named = files.filter((file) => file.name === name);
      const [file] = named.length === 1 ? named : files.filter(({ id }) => id === name);
      if (file !== undefined) return file.id;
      throw new Problem('not-found', `The space ${spaceId} has no file "${name}".`, {
        hint: `List its files: \`docsctl spaces files list ${spaceId}\``,
      });
    },
    idOf: (path, spaceName = spaceId) => {
      const id = ids.get(path) ?? (paths.has(path) ? path : undefined);
      if (id !== undefined) return id;
      throw new Problem('not-found', `The space ${spaceName} has no page "${path}".`, {
        hint: `List its pages: \`docsctl spaces pages list ${spaceId}\``,
      });
    },
  };
}

/** Returns the spaces, by ID or reference, whose pages or files are named in the redirects, links or images of a site. */
export function spacesWithNamedPages(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(spacesWithNamedPages);
  if (!isRecord(value)) return [];
  const { space, path, page, file } = value;
  const namesPage = [path, page, file].some((name) => typeof name === 'string');
  return space !== undefined && namesPage ? [space] : Object.values(value).flatMap(spacesWithNamedPages);
}
