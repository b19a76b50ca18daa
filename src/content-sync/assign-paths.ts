import { posix } from 'node:path';
import { namesFile } from '../content/tree.ts';
import { gitOid } from '../content/hashing.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { isMarkdown } from './contents.ts';
import { exportText } from './export-text.ts';
import { PathAllocator, safeName } from './export-paths.ts';
import type { FileMessage } from './folder.ts';
import { assetsFolder } from './read-files.ts';
import { includesFolder, tagsFile, variablesFile } from './read-texts.ts';
import { settingsFile, type FolderSettings } from './settings.ts';
import type { SpaceContent } from './space-content.ts';

/** The paths of the exported pages, files and texts of a space, by ID. Groups, links and pages without a file have none. */
export interface ExportPaths {
  readonly pages: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
}

/** Assigns a path to each page, file and text: the one from which it was imported, or else one made from its name. */
export function assignPaths(
  content: SpaceContent,
  { root, summary }: FolderSettings,
  warnings: FileMessage[],
): ExportPaths {
  const allocator = new PathAllocator();
  const pages = new Map<string, string>();
  const files = new Map<string, string>();
  const texts = new Map<string, string>();
  const below = (path: string) => posix.join(root, path);
  const claim = (paths: Map<string, string>, id: string, path: string, original: string): boolean => {
    if (allocator.claim(path)) paths.set(id, path);
    else
      warnings.push({
        file: original,
        line: 0,
        message: 'has a path that cannot be written or is taken; it is written under another name',
      });
    return paths.has(id);
  };
  allocator.claim(settingsFile);
  allocator.reserve(root);
  allocator.claim(summary);
  for (const { id, role, git, title } of content.texts) {
    if (role === 'settings') {
      if (git.path === settingsFile) texts.set(id, settingsFile);
    } else if (role === 'summary') texts.set(id, summary);
    else if (!claim(texts, id, below(git.path), git.path))
      texts.set(
        id,
        allocator.allocate(
          root,
          role === 'variables'
            ? variablesFile
            : role === 'tags'
              ? tagsFile
              : `${includesFolder}/${role === 'snippet' ? safeName(posix.basename(git.path)) : `${safeName(title)}.md`}`,
        ),
      );
  }
  const withoutPath: { readonly page: PageBody; readonly path: string }[] = [];
  for (const each of eachWithPath(content.pages)) {
    const path = each.page.git?.path;
    if (isLabel(each)) continue;
    if (
      path === undefined ||
      !namesFile(path) ||
      !claim(pages, each.page.id, toMarkdownPath(below(path)), path)
    )
      withoutPath.push(each);
  }
  const filesWithoutPath = content.files.filter(
    ({ id, git }) => git === undefined || !claim(files, id, below(git.path), git.path),
  );
  for (const { page, path } of withoutPath) pages.set(page.id, allocator.allocate(root, path));
  for (const { id, name } of filesWithoutPath)
    files.set(id, allocator.allocate(root, `${assetsFolder}/${safeName(name)}`));
  return { pages, files, texts };
}

/** Whether a page comes from an entry without a link in the table of contents, and can be written as such an entry. */
function isLabel({ page, path }: { page: PageBody; path: string }): boolean {
  const { git, linkTitle, pages = [] } = page;
  if (git === undefined || namesFile(git.path)) return false;
  if (git.oid !== gitOid('') || linkTitle !== undefined) return false;
  // At the top level it would be read as a group, and without child pages it would be skipped.
  if (pages.length === 0 || path.split('/').length < 3) return false;
  const context = { path, pathOf: () => undefined, listedTitle: page.title, isUnlisted: false };
  return exportText(page, context) === '';
}

function toMarkdownPath(path: string): string {
  return isMarkdown(path) ? path : `${path}.md`;
}

/** Yields every document with a path made from slugs. A page with children is the README of their folder. */
function* eachWithPath(
  pages: readonly PageBody[],
  folder = '',
): Generator<{ readonly page: PageBody; readonly path: string }> {
  for (const page of pages) {
    const inner = page.pages ?? [];
    const path = folder + safeName(page.slug ?? page.title);
    if (page.type === 'document') yield { page, path: inner.length > 0 ? `${path}/README.md` : `${path}.md` };
    yield* eachWithPath(inner, `${path}/`);
  }
}
