import { posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { gitOid } from '../content/hashing.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { contentsOfSpace } from './export-contents.ts';
import { isSafePath } from './export-paths.ts';
import { exportText, relativeLinks } from './export-text.ts';
import { exportPlaces, type ExportPlaces } from './export-places.ts';
import type { Warning } from './folder.ts';
import { readSettings, settingsFile, type FolderSettings } from './settings.ts';
import type { SpaceContent } from './space-content.ts';

/** A file of an export: its bytes, or the file of the space that has them. */
export interface ExportedFile {
  readonly path: string;
  /** Git id of what it is to hold. */
  readonly oid: string;
  readonly content: { readonly bytes: Buffer } | { readonly fileId: string };
}

export interface ExportPlan {
  readonly files: readonly ExportedFile[];
  /** The files that make a folder one of documentation: its settings and its table of contents. */
  readonly markers: readonly string[];
  /** Where everything is written to, by id. */
  readonly places: ExportPlaces;
  /** Hidden pages that the table of contents does not name: an import takes them only where it is told to. */
  readonly unlisted: number;
  readonly warnings: readonly Warning[];
  readonly counts: { readonly pages: number; readonly files: number; readonly texts: number };
}

/** The folder that holds what a space holds. What was imported and not edited is written as it was, byte for byte. */
export function planExport(content: SpaceContent): ExportPlan {
  const warnings: Warning[] = [];
  const settings = settingsOf(content, warnings);
  const places = exportPlaces(content, settings, warnings);
  const contents = contentsOfSpace(content, settings, places);
  const files: ExportedFile[] = [];
  const put = (path: string, text: string) => {
    const bytes = Buffer.from(text);
    files.push({ path, oid: gitOid(bytes), content: { bytes } });
  };
  const pathOf = (kind: 'pages' | 'files', id: string) => places[kind].get(id);
  for (const text of content.texts) {
    const path = places.texts.get(text.id);
    if (path === undefined || text.role === 'summary') continue;
    put(path, text.role === 'include' ? relativeLinks(text.text ?? '', { path, pathOf }) : (text.text ?? ''));
  }
  if (contents.summary !== undefined) put(settings.summary, contents.summary);
  const documents = [...eachDocument(content.pages)];
  for (const page of documents) {
    const path = places.pages.get(page.id)!;
    put(
      path,
      exportText(page, {
        path,
        pathOf,
        listedTitle: contents.listedTitles.get(path),
        isUnlisted: contents.unlisted.has(page.id),
      }),
    );
  }
  for (const file of content.files) {
    const path = places.files.get(file.id)!;
    // A file made here has no git id; it is compared when it is there.
    files.push({ path, oid: file.git?.oid ?? '', content: { fileId: file.id } });
  }
  return {
    files,
    markers: [settings.summary, settingsFile],
    places,
    unlisted: contents.unlisted.size,
    warnings,
    counts: {
      pages: documents.length,
      files: content.files.length,
      texts: files.length - documents.length - content.files.length,
    },
  };
}

/** The table of contents that an export would write. It takes the texts of a space that has one, not what its pages say. */
export function summaryOf(content: SpaceContent): string | undefined {
  const settings = settingsOf(content, []);
  return contentsOfSpace(content, settings, exportPlaces(content, settings, [])).summary;
}

/** The settings that the space was imported with. They may have been edited here, so they may be wrong. */
function settingsOf({ texts }: SpaceContent, warnings: Warning[]): FolderSettings {
  const text = texts.find(({ role, git }) => role === 'settings' && git.path === settingsFile)?.text;
  try {
    const settings = readSettings(text);
    if (![settings.summary, posix.join(settings.root, 'README.md')].every(isSafePath))
      throw new Problem('invalid-input', 'It names a folder that must not be written to.');
    return settings;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    warnings.push({
      file: settingsFile,
      line: Number(/ line (\d+)/.exec(error.message)?.[1] ?? 0),
      message: `is written, but not followed: ${error.message}`,
    });
    return readSettings(undefined);
  }
}

/** Every document under these pages, parents first. */
function* eachDocument(pages: readonly PageBody[]): Generator<PageBody> {
  for (const page of pages) {
    if (page.type === 'document') yield page;
    yield* eachDocument(page.pages ?? []);
  }
}
