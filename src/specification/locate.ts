import { resolvePointer, wordsOf } from './references.ts';
import { isRecord } from '../contract/values.ts';

/** The words that lead to what stands on a line of `JSON.stringify(value, null, 2)`; lines begin at 1. */
export function pointerOfLine(value: unknown, line: number): string[] {
  let at = 1;
  const find = (node: unknown, pointer: readonly string[]): readonly string[] | undefined => {
    if (at === line) return pointer;
    if (typeof node !== 'object' || node === null) return undefined;
    const entries = Object.entries(node).filter(([, inner]) => inner !== undefined);
    if (entries.length === 0) return undefined;
    for (const [key, inner] of entries) {
      at++;
      const found = find(inner, [...pointer, key]);
      if (found !== undefined) return found;
    }
    at++;
    return at === line ? pointer : undefined;
  };
  return [...(find(value, []) ?? [])];
}

/** Where what stands at a place of the specification with its references written out is written itself. */
export function pointerInSource(value: unknown, pointer: readonly string[]): string[] {
  let here = value;
  let words: string[] = [];
  for (const word of pointer) {
    for (
      let hops = 0;
      hops < 100 && isRecord(here) && typeof here['$ref'] === 'string' && !Object.hasOwn(here, word);
      hops++
    ) {
      words = wordsOf(here['$ref']);
      here = resolvePointer(value, here['$ref']);
    }
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, word)) break;
    words.push(word);
    here = (here as Record<string, unknown>)[word];
  }
  return words;
}

/** The words of a path such as `/paths/users/{id}/get/parameters/tags`, in which keys stand with and without their own slashes, as far as they lead; or of the second operation of an id. */
export function pointerOfWords(value: unknown, words: string): string[] {
  if (!words.startsWith('/')) return operationWith(value, words);
  const pointer: string[] = [];
  let here = value;
  let rest = words;
  while (rest !== '') {
    const tail = rest.replace(/^\//, '');
    const key = isRecord(here)
      ? Object.keys(here)
          .filter(
            (one) => one !== '' && [rest, tail].some((text) => text === one || text.startsWith(`${one}/`)),
          )
          .sort((one, other) => other.length - one.length)[0]
      : itemNamed(here, tail);
    if (key === undefined) break;
    pointer.push(key);
    rest = Array.isArray(here) ? '' : (rest.startsWith(key) ? rest : tail).slice(key.length);
    here = (here as Record<string, unknown>)[key];
  }
  return pointer;
}

/** A parameter stands in a list and is called by its name. */
function itemNamed(list: unknown, name: string): string | undefined {
  const index = Array.isArray(list) ? list.findIndex((item) => isRecord(item) && item['name'] === name) : -1;
  return index < 0 ? undefined : String(index);
}

function operationWith(value: unknown, id: string): string[] {
  const paths = isRecord(value) && isRecord(value['paths']) ? value['paths'] : {};
  const found = Object.entries(paths).flatMap(([path, item]) =>
    isRecord(item)
      ? Object.entries(item).flatMap(([method, operation]) =>
          isRecord(operation) && operation['operationId'] === id
            ? [['paths', path, method, 'operationId']]
            : [],
        )
      : [],
  );
  return found.at(-1) ?? [];
}
