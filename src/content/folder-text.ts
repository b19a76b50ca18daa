import type { NewId } from '../core/ids.ts';
import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { notFound } from '../errors/problem.ts';
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
export async function readVariables(
  view: ReadTransaction,
  texts: Iterable<TextEntry>,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const entry of texts) {
    if (entry.role !== 'variables') continue;
    const { parseYaml } = await import('../richtext/yaml.ts');
    let given: unknown;
    try {
      given = parseYaml(await readBlob(view, entry.blob), entry.git.path);
    } catch {
      continue;
    }
    if (typeof given !== 'object' || given === null) continue;
    for (const [name, value] of Object.entries(given)) {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        Object.defineProperty(variables, name, { value: String(value), enumerable: true });
    }
  }
  return variables;
}
