import { posix } from 'node:path';
import type { PageBody } from '../resources/content/schemas.ts';
import { Places, safeName } from './export-paths.ts';
import type { Warning } from './folder.ts';
import { assetsFolder } from './read-files.ts';
import { includesFolder, variablesFile } from './read-texts.ts';
import { settingsFile, type FolderSettings } from './settings.ts';
import type { SpaceContent } from './space-content.ts';

/** Where everything of a space is written to, by id; paths below the folder. Groups and links have no file. */
export interface ExportPlaces {
  readonly pages: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
}

/** Gives everything of a space a path: the one that it came from, else one made from its name. */
export function exportPlaces(
  content: SpaceContent,
  { root, summary }: FolderSettings,
  warnings: Warning[],
): ExportPlaces {
  const places = new Places();
  const [pages, files, texts] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const below = (path: string) => posix.join(root, path);
  /** Joining has made a path normal. */
  const claim = (kept: Map<string, string>, id: string, path: string, wanted: string): boolean => {
    if (places.claim(path)) kept.set(id, path);
    else
      warnings.push({
        file: wanted,
        line: 0,
        message: 'is a path that cannot be written or is taken; it is written under another name',
      });
    return kept.has(id);
  };
  places.claim(settingsFile);
  places.reserve(root);
  places.claim(summary);
  for (const { id, role, git, title } of content.texts) {
    if (role === 'settings') {
      if (git.path === settingsFile) texts.set(id, settingsFile);
    } else if (role === 'summary') texts.set(id, summary);
    else if (!claim(texts, id, below(git.path), git.path))
      texts.set(
        id,
        places.make(root, role === 'variables' ? variablesFile : `${includesFolder}/${safeName(title)}.md`),
      );
  }
  const homeless: { readonly page: PageBody; readonly path: string }[] = [];
  for (const each of eachWithPath(content.pages)) {
    const path = each.page.git?.path;
    if (path === undefined || !claim(pages, each.page.id, withEnding(below(path)), path)) homeless.push(each);
  }
  const lost = content.files.filter(
    ({ id, git }) => git === undefined || !claim(files, id, below(git.path), git.path),
  );
  for (const { page, path } of homeless) pages.set(page.id, places.make(root, path));
  for (const { id, name } of lost) files.set(id, places.make(root, `${assetsFolder}/${safeName(name)}`));
  return { pages, files, texts };
}

/** A page is a Markdown file whatever it was called. */
function withEnding(path: string): string {
  return /\.(md|markdown)$/i.test(path) ? path : `${path}.md`;
}

/** Every document with a path made from slugs: one with others under it is the README of their folder. */
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
