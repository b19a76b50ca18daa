import { posix } from 'node:path';
import { gitOid } from '../content/hashing.ts';
import { readPageText } from '../richtext/front-matter.ts';
import { parseYaml } from '../richtext/yaml.ts';
import { findMissingIncludes } from './find-missing-includes.ts';
import { findStrayTags } from './find-stray-tags.ts';
import { isMarkdown } from './contents.ts';
import type { Folder, Warning } from './folder.ts';
import { warnOfPointer } from './lfs-pointer.ts';
import { countLines, pageTitle } from './page-reader.ts';
import { findLinks, linkTargets } from './resolve-link.ts';
import { belowRoot, maxSettingsBytes, settingsFile, type FolderSettings } from './settings.ts';
import { truncate } from '../contract/values.ts';

/** A text of a folder that is not a page, unchanged. */
export interface FolderText {
  readonly role: 'summary' | 'settings' | 'variables' | 'tags' | 'include' | 'snippet';
  readonly title: string;
  /** The path of its file in the folder. */
  readonly file: string;
  /** Its path in the space: relative to the root of the documentation, except for the settings. */
  readonly path: string;
  readonly text: string;
  readonly oid: string;
}

interface ReadTexts {
  readonly texts: readonly FolderText[];
  /** Paths inside the folder that includes link to. */
  readonly links: readonly string[];
  readonly warnings: readonly Warning[];
}

interface AlreadyRead {
  readonly settings: string | undefined;
  readonly summary: string | undefined;
  /** Files that are pages, and therefore not texts. */
  readonly pages: ReadonlySet<string>;
  /** The texts of the files that pages include with the syntax of other tools. */
  readonly included: ReadonlyMap<string, string | undefined>;
}

const maxIncludeBytes = 1_000_000;
/** The path of the variables, relative to the root of the documentation. */
export const variablesFile = '.gitbook/vars.yaml';
export const tagsFile = '.gitbook/tags.yaml';
export const includesFolder = '.gitbook/includes';

/**
 * Reads the texts that an export needs in addition to pages and files: settings, table of contents, variables, tags, includes.
 */
export function readTexts(folder: Folder, settings: FolderSettings, read: AlreadyRead): ReadTexts {
  const texts: FolderText[] = [];
  const links: string[] = [];
  const warnings: Warning[] = [];
  const add = (
    role: FolderText['role'],
    file: string,
    text: string,
    title = posix.basename(file).replace(/\.\w+$/, ''),
  ) => {
    const path = role === 'settings' ? file : belowRoot(settings, file);
    texts.push({ role, title: truncate(title, 255), file, path, text, oid: gitOid(text) });
  };
  const readText = (file: string, maxBytes: number): string | undefined => {
    try {
      const bytes = folder.read(file, maxBytes);
      const text = bytes.toString('utf8');
      warnings.push(...warnOfPointer(file, bytes));
      if (bytes.equals(Buffer.from(text))) return text;
      warnings.push({ file, line: 0, rule: 'encoding', message: 'is skipped: it is not UTF-8' });
    } catch (error) {
      warnings.push({
        file,
        line: 0,
        rule: 'skipped-file',
        message: `is skipped: ${(error as Error).message}`,
      });
    }
    return undefined;
  };
  if (read.settings !== undefined) add('settings', settingsFile, read.settings);
  if (read.summary !== undefined) add('summary', settings.summary, read.summary);
  for (const [role, name] of [
    ['variables', variablesFile],
    ['tags', tagsFile],
  ] as const) {
    const file = posix.join(settings.root, name);
    const values = folder.paths.has(file) ? readText(file, maxSettingsBytes) : undefined;
    if (values === undefined) continue;
    add(role, file, values);
    try {
      parseYaml(values, file);
    } catch (error) {
      const { message } = error as Error;
      warnings.push({
        file,
        line: Number(/ line (\d+)/.exec(message)?.[1] ?? 1),
        rule: 'variables',
        message: `has no usable ${role}: ${message}`,
      });
    }
  }
  const includes = `${posix.join(settings.root, includesFolder)}/`;
  for (const file of folder.paths) {
    const isIncluded = read.included.has(file);
    if (!(isIncluded || (file.startsWith(includes) && isMarkdown(file))) || read.pages.has(file)) continue;
    const text = isIncluded ? read.included.get(file) : readText(file, maxIncludeBytes);
    if (text === undefined) continue;
    if (!isMarkdown(file)) {
      add('snippet', file, text);
      continue;
    }
    const { frontMatter, body, metadata } = readPageText(text);
    add('include', file, text, pageTitle(file, metadata, body));
    const above = countLines(frontMatter);
    for (const { line, message } of findStrayTags(body))
      warnings.push({ file, line: above + line, rule: 'stray-tag', message });
    const { root } = settings;
    for (const { line, message } of findMissingIncludes(body, { file, root, paths: folder.paths }))
      warnings.push({ file, line: above + line, rule: 'missing-include', message });
    for (const link of findLinks(body)) links.push(...linkTargets(file, link, settings.root));
  }
  return { texts, links, warnings };
}
