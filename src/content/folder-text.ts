import { isEmoji } from '../contract/emoji.ts';
import { posix } from 'node:path';
import { comparable } from '../core/redirect-paths.ts';
import type { NewId } from '../core/ids.ts';
import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { isHttpUrl } from '../contract/open-address.ts';
import { defined } from '../contract/values.ts';
import { notFound, Problem } from '../errors/problem.ts';
import { fieldsOf, itemsOf, readVariables, textOf, type Variables } from '../richtext/page-settings.ts';
import { putText, readBlob } from './blobs.ts';
import type { Draft } from './draft.ts';
import { gitOid } from './hashing.ts';
import type { TextEntry } from './rows.ts';
import type { PutTextChange } from './changes.ts';

/** Adds a text of a folder that is not a page to a draft, or replaces the text of the same file. Null removes it. */
export async function putFolderText(
  draft: Draft,
  tx: WriteTransaction,
  newId: NewId,
  { role, title, text, git }: PutTextChange,
): Promise<void> {
  const before = [...draft.texts.values()].find((entry) => entry.git.path === git.path);
  if (text === null) {
    if (before === undefined) throw notFound('text', git.path);
    draft.remove(before.id);
    return;
  }
  const bytes = Buffer.from(text);
  draft.put({
    kind: 'text',
    id: before?.id ?? newId('txt'),
    role,
    title: title ?? git.path.slice(git.path.lastIndexOf('/') + 1).replace(/\.\w+$/, ''),
    blob: await putText(tx, text),
    size: bytes.length,
    git: { oid: gitOid(bytes), path: git.path },
  });
}

/** Reads the variables of a space: the plain values in its .gitbook/vars.yaml. Empty if it is not valid YAML. */
export async function readSpaceVariables(
  view: ReadTransaction,
  texts: Iterable<TextEntry>,
): Promise<Variables> {
  return readVariables(await readYaml(view, texts, 'variables'));
}

/** A tag that pages of a space can have (published specification, RevisionTag). */
export interface SpaceTag {
  readonly slug: string;
  readonly label: string;
  readonly color: string;
  readonly emoji?: string;
  readonly icon?: string;
}

/** Reads the tags of a space from its .gitbook/tags.yaml, by slug. Empty if it is not a valid YAML list. */
export async function readSpaceTags(
  view: ReadTransaction,
  texts: Iterable<TextEntry>,
): Promise<Map<string, SpaceTag>> {
  const tags = itemsOf(await readYaml(view, texts, 'tags')).flatMap((item) => {
    const given = fieldsOf(item);
    const slug = textOf(given.get('tag'));
    if (slug === undefined) return [];
    return defined({
      slug,
      label: textOf(given.get('label')) ?? slug,
      color: textOf(given.get('color')) ?? 'default',
      emoji: emojiOf(given.get('emoji')),
      icon: textOf(given.get('icon')),
    });
  });
  return new Map(tags.map((tag) => [tag.slug, tag]));
}

/** Returns a text that is an emoji; undefined for any other value. */
function emojiOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && isEmoji(text) ? text : undefined;
}

export interface SpaceRedirect {
  /** The old path of a page as written, without a slash at its start. */
  readonly from: string;
  /** The destination: a file below the root of the documentation, or a URL. */
  readonly to: string;
}

/**
 * Reads the redirects of a space from its .gitbook.yaml, by old path in the form in which paths are compared. Empty if it is not
 * valid YAML.
 */
export async function readSpaceRedirects(
  view: ReadTransaction,
  texts: Iterable<TextEntry>,
): Promise<ReadonlyMap<string, SpaceRedirect>> {
  const settings = fieldsOf(await readYaml(view, texts, 'settings'));
  const root = trimSlashes(posix.normalize(textOf(settings.get('root')) ?? '.')).replace(/^\.$/, '');
  const redirects = new Map<string, SpaceRedirect>();
  for (const [from, to] of fieldsOf(settings.get('redirects'))) {
    if (typeof to !== 'string') continue;
    const target = isHttpUrl(to) ? new URL(to).href : targetFile(to, root);
    const path = trimSlashes(from);
    if (target !== undefined) redirects.set(comparable(path), { from: path, to: target });
  }
  return redirects;
}

/** Returns the file below the root for the destination of a redirect. With a slash at its start, it is relative to the folder. */
function targetFile(to: string, root: string): string | undefined {
  const path = posix.normalize(to.replace(/[?#].*$/s, ''));
  if (path.startsWith('../') || path.includes('\0')) return undefined;
  if (!path.startsWith('/') || root === '') return trimSlashes(path);
  const whole = trimSlashes(path);
  return whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : undefined;
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

async function readYaml(
  view: ReadTransaction,
  texts: Iterable<TextEntry>,
  role: 'variables' | 'tags' | 'settings',
): Promise<unknown> {
  for (const entry of texts) {
    if (entry.role !== role) continue;
    const { parseYaml } = await import('../richtext/yaml.ts');
    // If the text cannot be read, this throws. An empty result would be shown and cached.
    const text = await readBlob(view, entry.blob);
    try {
      return parseYaml(text, entry.git.path);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return undefined;
}
