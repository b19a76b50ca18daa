import type { NewId } from '../core/ids.ts';
import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { defined } from '../contract/values.ts';
import { notFound, Problem } from '../errors/problem.ts';
import { fieldsOf, itemsOf, readVariables, textOf, type Variables } from '../richtext/page-settings.ts';
import { putText, readBlob } from './blobs.ts';
import type { Draft } from './draft.ts';
import { gitOid } from './hashing.ts';
import type { TextEntry } from './rows.ts';
import type { PutTextChange } from './changes.ts';

/** Puts a text of a folder that is not a page into a draft, replacing the text of the same file; null removes it. */
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

/** Reads the variables of a space: the plain values of its .gitbook/vars.yaml; none where it is not valid YAML. */
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

/** Reads the tags of a space from its .gitbook/tags.yaml; none where it is not a list in valid YAML. */
export async function readSpaceTags(view: ReadTransaction, texts: Iterable<TextEntry>): Promise<SpaceTag[]> {
  return itemsOf(await readYaml(view, texts, 'tags')).flatMap((item) => {
    const given = fieldsOf(item);
    const slug = textOf(given.get('tag'));
    if (slug === undefined) return [];
    return defined({
      slug,
      label: textOf(given.get('label')) ?? slug,
      color: textOf(given.get('color')) ?? 'default',
      emoji: textOf(given.get('emoji')),
      icon: textOf(given.get('icon')),
    });
  });
}

async function readYaml(
  view: ReadTransaction,
  texts: Iterable<TextEntry>,
  role: 'variables' | 'tags',
): Promise<unknown> {
  for (const entry of texts) {
    if (entry.role !== role) continue;
    const { parseYaml } = await import('../richtext/yaml.ts');
    try {
      return parseYaml(await readBlob(view, entry.blob), entry.git.path);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return undefined;
}
