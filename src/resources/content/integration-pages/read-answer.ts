import { isEmoji } from '../../../contract/emoji.ts';
import { isRecord, recordOf, truncate } from '../../../contract/values.ts';
import { parseJson } from '../../../contract/limits.ts';
import { RichDocument, type RichDocumentValue } from '../../../contract/shapes.ts';
import { violationsOf } from '../../../contract/check.ts';
import { isFromSpecification, PageSource, type IntegrationSource } from '../../../content/computed-source.ts';
import type { ScriptAnswer } from '../../../core/scripts.ts';
import { Problem } from '../../../errors/problem.ts';
import { errorIn } from '../../integration-events/deliver.ts';

export interface AnsweredPage {
  readonly type: 'document' | 'group' | 'link';
  /** Identifies the page among its siblings. */
  readonly key: string;
  readonly title: string;
  readonly slug?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly emoji?: string;
  readonly hidden?: boolean;
  readonly href?: string;
  /** The document, or the source that computes it. */
  readonly document?: RichDocumentValue;
  readonly markdown?: string;
  readonly source?: IntegrationSource;
  readonly pages: readonly AnsweredPage[];
}

/** A file that an integration computed. Its bytes are at an address of the integration. */
export interface AnsweredFile {
  /** Identifies the file among the files of the source. Documents of the source refer to it by this ID. */
  readonly key: string;
  readonly name: string;
  readonly contentType: string;
  readonly downloadURL: string;
  readonly size: number;
  readonly dimensions?: { readonly width: number; readonly height: number };
}

/** The pages and files of a source. */
export interface AnsweredRevision {
  readonly pages: readonly AnsweredPage[];
  readonly files: readonly AnsweredFile[];
}

const maxFiles = 1000;
/** Maximum number of pages of one source, and maximum nesting depth. */
const maxPages = 1000;
const maxLevels = 10;

/** Parses the answer to content_compute_revision. @throws Problem(script-failed) with one sentence */
export function readRevisionAnswer(answer: ScriptAnswer): AnsweredRevision {
  const json = readJson(answer);
  return { pages: readPages(json), files: readFiles(json) };
}

function readFiles(json: unknown): AnsweredFile[] {
  const files = isRecord(json) ? (json['files'] ?? []) : [];
  if (!Array.isArray(files)) throw wrong('/files is not a list');
  if (files.length > maxFiles) throw wrong(`it has more than ${maxFiles} files`);
  const keys = new Set<string>();
  return files.map((one: unknown, index) => {
    const at = `/files/${index}`;
    if (!isRecord(one)) throw wrong(`${at} is not an object`);
    const [name, contentType] = [textIn(one, 'name', 255), textIn(one, 'contentType', 127)];
    if (name === undefined) throw wrong(`${at} has no name`);
    if (contentType === undefined || !/^[\w.+-]+\/[\w.+-]+(?:;[^\r\n]*)?$/.test(contentType))
      throw wrong(`${at}/contentType is not a media type`);
    const { downloadURL, size, dimensions } = one;
    if (typeof downloadURL !== 'string' || !/^https?:\/\/[^\s<>"]{1,2040}$/i.test(downloadURL))
      throw wrong(`${at}/downloadURL is not a URL`);
    if (!isCount(size)) throw wrong(`${at}/size is not a number of bytes`);
    const key = keyIn(one) ?? name;
    if (keys.has(key)) throw wrong(`${at} has the ID of another file`);
    keys.add(key);
    const { width, height } = recordOf(dimensions);
    const area = isCount(width) && isCount(height) ? { dimensions: { width, height } } : {};
    return { key, name, contentType, downloadURL, size, ...area };
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function readPages(json: unknown): AnsweredPage[] {
  const pages = isRecord(json) ? json['pages'] : undefined;
  let count = 0;
  const read = (given: unknown, at: string, level: number): AnsweredPage[] => {
    if (given === undefined) return [];
    if (!Array.isArray(given)) throw wrong(`${at} is not a list`);
    if (level > maxLevels) throw wrong(`its pages are nested more than ${maxLevels} times`);
    const keys = new Set<string>();
    return given.map((one: unknown, index) => {
      const place = `${at}/${index}`;
      if (++count > maxPages) throw wrong(`it has more than ${maxPages} pages`);
      if (!isRecord(one)) throw wrong(`${place} is not an object`);
      const type = one['type'] ?? 'document';
      if (type !== 'document' && type !== 'group' && type !== 'link')
        throw wrong(`${place}/type is not document, group or link`);
      const title = textIn(one, 'title', 255);
      if (title === undefined) throw wrong(`${place} has no title`);
      const slug = textIn(one, 'slug', 100);
      let key = keyIn(one) ?? slug ?? title;
      while (keys.has(key)) key += ' ';
      keys.add(key);
      return {
        type,
        key,
        title,
        ...definedTexts({
          slug,
          description: textIn(one, 'description', 2048),
          icon: textIn(one, 'icon', 64),
          emoji: emojiIn(one),
        }),
        ...(one['hidden'] === true ? { hidden: true } : {}),
        ...(type === 'link' ? { href: hrefOf(one, place) } : {}),
        ...(type === 'document' ? textOf(one, place) : {}),
        pages: read(one['pages'], `${place}/pages`, level + 1),
      };
    });
  };
  return read(pages ?? [], '/pages', 1);
}

/** Parses the document in the answer to content_compute_document. @throws Problem(script-failed) with one sentence */
export function readDocumentAnswer(answer: ScriptAnswer): Pick<AnsweredPage, 'document' | 'markdown'> {
  const json = readJson(answer);
  if (!isRecord(json) || json['document'] === undefined) throw wrong('it has no document');
  return documentOf(json['document'], '/document');
}

function readJson(answer: ScriptAnswer): unknown {
  if (answer.status < 200 || answer.status > 299) throw new Problem('script-failed', errorIn(answer));
  const text = Buffer.from(answer.body).toString();
  try {
    return parseJson(text, { depth: 64, nodes: 200_000 });
  } catch {
    throw wrong('it is not valid JSON');
  }
}

function wrong(what: string): Problem {
  return new Problem('script-failed', `The answer of the integration cannot be used: ${what}.`);
}

/** Returns the emoji of a page; undefined for a text that is not an emoji. */
function emojiIn(page: Readonly<Record<string, unknown>>): string | undefined {
  const text = textIn(page, 'emoji', 64);
  return text !== undefined && isEmoji(text) ? text : undefined;
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string, max: number): string | undefined {
  const value = fields[name];
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '';
  return text === '' ? undefined : truncate(text, max);
}

/** Returns the ID of a page or file; undefined if it is neither a text nor a number. */
function keyIn({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? truncate(String(id), 255) : undefined;
}

function definedTexts<K extends string>(texts: Record<K, string | undefined>): Partial<Record<K, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as Partial<
    Record<K, string>
  >;
}

/**
 * Returns the address of a link. It must be one that links in texts may have.
 *
 * @throws Problem(script-failed) for another address
 */
function hrefOf(fields: Readonly<Record<string, unknown>>, at: string): string {
  const target = fields['target'];
  const href = fields['href'] ?? (isRecord(target) ? target['url'] : undefined);
  if (typeof href !== 'string' || !/^(?:https?:\/\/|mailto:)[^\s<>"]{1,2040}$/i.test(href))
    throw wrong(`${at} has no address`);
  return href;
}

function textOf(
  fields: Readonly<Record<string, unknown>>,
  at: string,
): Pick<AnsweredPage, 'document' | 'markdown' | 'source'> {
  const { computed, document } = fields;
  if (computed !== undefined) {
    const source = computed as PageSource;
    if (violationsOf(PageSource, computed, '').length > 0 || isFromSpecification(source))
      throw wrong(`${at}/computed is not a source of an integration`);
    return { source };
  }
  return document === undefined ? {} : documentOf(document, `${at}/document`);
}

function documentOf(given: unknown, at: string): Pick<AnsweredPage, 'document' | 'markdown'> {
  if (isRecord(given) && typeof given['markdown'] === 'string') return { markdown: given['markdown'] };
  const [violation] = violationsOf(RichDocument, given, at);
  if (violation !== undefined) throw wrong(`${violation.path} ${violation.message}`);
  return { document: given as RichDocumentValue };
}
