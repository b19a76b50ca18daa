import { flattenPages } from '../contract/values.ts';
import { posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { gitOid } from '../content/hashing.ts';
import { planSummary, type ReadReplaced } from './plan-summary.ts';
import { isSafePath } from './export-paths.ts';
import { exportText, rewriteIdLinks } from './export-text.ts';
import { assignPaths, type ExportPaths } from './assign-paths.ts';
import { createLinkRewriter } from './exported-links.ts';
import type { FileMessage } from './folder.ts';
import { readSettings, settingsFile, type FolderSettings } from './settings.ts';
import { type SpaceContent } from './space-content.ts';

/** A file of an export: its bytes, or the ID of the file in the space. */
export interface ExportedFile {
  readonly path: string;
  /** The git ID of its content; empty if it is known only after the download. */
  readonly oid: string;
  readonly content: { readonly bytes: Buffer } | { readonly fileId: string };
}

export interface ExportPlan {
  readonly files: readonly ExportedFile[];
  /** The files that mark a folder as documentation: its settings and its table of contents. */
  readonly markers: readonly string[];
  /** The path of each page, file and text, by id. */
  readonly paths: ExportPaths;
  /** The number of hidden pages that are not in the table of contents. An import skips them by default. */
  readonly unlisted: number;
  readonly warnings: readonly FileMessage[];
  readonly counts: { readonly pages: number; readonly files: number; readonly texts: number };
}

/** Plans the folder for the content of a space. Content that was imported and not edited is written byte for byte. */
export function planExport(content: SpaceContent, readReplaced?: ReadReplaced): ExportPlan {
  const warnings: FileMessage[] = [];
  const settings = storedSettings(content, warnings);
  const paths = assignPaths(content, settings, warnings);
  const summary = planSummary(content, settings, paths, readReplaced);
  const files: ExportedFile[] = [];
  const put = (path: string, text: string) => {
    const bytes = Buffer.from(text);
    files.push({ path, oid: gitOid(bytes), content: { bytes } });
  };
  const pathOf = (kind: 'pages' | 'files', id: string) => paths[kind].get(id);
  const rewriteLinks = createLinkRewriter(content, settings.root, paths);
  for (const text of content.texts) {
    const path = paths.texts.get(text.id);
    if (path === undefined || text.role === 'summary') continue;
    const stored = text.text ?? '';
    put(
      path,
      text.role === 'include'
        ? rewriteIdLinks(rewriteLinks(`reusable:${text.id}`, stored), { path, pathOf })
        : stored,
    );
  }
  if (summary.summary !== undefined) put(settings.summary, summary.summary);
  for (const page of flattenPages(content.pages)) {
    const path = paths.pages.get(page.id);
    if (path === undefined) continue;
    const own = { ...page, markdown: rewriteLinks(`page:${page.id}`, page.markdown ?? '') };
    put(
      path,
      exportText(own, {
        path,
        pathOf,
        listedTitle: summary.listedTitles.get(path),
        isUnlisted: summary.unlisted.has(page.id),
      }),
    );
  }
  for (const file of content.files) {
    const path = paths.files.get(file.id);
    if (path === undefined) continue;
    // An uploaded file has no git ID. It is compared if the folder has a file at its path.
    files.push({ path, oid: file.git?.oid ?? '', content: { fileId: file.id } });
  }
  return {
    files,
    markers: [settings.summary, settingsFile],
    paths,
    unlisted: summary.unlisted.size,
    warnings,
    counts: {
      pages: paths.pages.size,
      files: content.files.length,
      texts: files.length - paths.pages.size - content.files.length,
    },
  };
}

/** Returns the table of contents that an export would write. It needs the texts of the space, but not those of its pages. */
export function exportedSummary(content: SpaceContent): string | undefined {
  const settings = storedSettings(content, []);
  return planSummary(content, settings, assignPaths(content, settings, [])).summary;
}

/** Parses the settings from the import of the space. They may have been edited and be invalid; then the defaults apply. */
export function storedSettings(
  { texts }: Pick<SpaceContent, 'texts'>,
  warnings: FileMessage[],
): FolderSettings {
  const text = texts.find(({ role, git }) => role === 'settings' && git.path === settingsFile)?.text;
  try {
    const settings = readSettings(text);
    if (![settings.summary, posix.join(settings.root, 'README.md')].every(isSafePath))
      throw new Problem(
        'invalid-input',
        'It names a folder or a table of contents that an export does not write.',
      );
    return settings;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    warnings.push({
      file: settingsFile,
      line: Number(/ line (\d+)/.exec(error.message)?.[1] ?? 0),
      message: `is exported, but ignored: ${error.message}`,
    });
    return readSettings(undefined);
  }
}
