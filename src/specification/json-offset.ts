/** A key that an object of a JSON text has twice. */
interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
  /** The offset of the first occurrence. */
  readonly first: number;
}

/**
 * Returns the offset of a value in valid JSON, by the tokens of its JSON pointer. In an object it is the offset of the key.
 * If there is no such value, it is the offset of the closest ancestor. If a key occurs several times, the last one counts.
 */
export function findJsonOffset(text: string, pointer: readonly string[]): number {
  let closest = text.length - text.trimStart().length;
  /** The number of tokens that lead to the current member. */
  let matched = 0;
  visitMembers(text, (key, depth, offset) => {
    matched = Math.min(matched, depth);
    if (matched < depth || key !== pointer[depth]) return;
    matched++;
    closest = offset;
  });
  return closest;
}

/** Lists the keys that occur again in the same object of valid JSON. */
export function findDuplicateKeys(text: string): DuplicateKey[] {
  const duplicates: DuplicateKey[] = [];
  /** The offsets of the keys of each open object. */
  const open: Map<string, number>[] = [];
  visitMembers(text, (key, depth, offset, { isArray, count }) => {
    if (isArray) return;
    const keys = (count === 0 ? undefined : open[depth]) ?? new Map<string, number>();
    open[depth] = keys;
    const first = keys.get(key);
    if (first === undefined) keys.set(key, offset);
    else duplicates.push({ key, offset, first });
  });
  return duplicates;
}

/** An open object or array, with the number of its members so far. */
interface Container {
  readonly isArray: boolean;
  count: number;
}

/** Visits the members of objects and arrays in document order, without recursion, because a text may be nested deeply. */
function visitMembers(
  text: string,
  visit: (key: string, depth: number, offset: number, container: Container) => void,
): void {
  const open: Container[] = [];
  /** Whether a member, or the end of its container, is the next token. */
  let isNext = false;
  let end = 0;
  for (let at = 0; at < text.length; at = end) {
    end = at + 1;
    if (text.charCodeAt(at) <= 32) continue;
    const char = text.charAt(at);
    if (char === '"') end = endOfString(text, at);
    const isEnd = char === '}' || char === ']';
    const container = open.at(-1);
    if (isNext && !isEnd && container !== undefined) {
      const key = container.isArray ? String(container.count) : parseKey(text.slice(at, end));
      visit(key, open.length - 1, at, container);
      container.count++;
    }
    isNext = char === '{' || char === '[' || char === ',';
    if (isEnd) open.pop();
    else if (isNext && char !== ',') open.push({ isArray: char === '[', count: 0 });
  }
}

function parseKey(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
