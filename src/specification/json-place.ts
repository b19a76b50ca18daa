/** The offset of what the words lead to in a JSON text that can be read: of its key, or of itself in a list; of the nearest that is there. */
export function offsetInJson(text: string, pointer: readonly string[]): number {
  let value = skipSpace(text, 0);
  let found = value;
  for (const word of pointer) {
    const next =
      text[value] === '{'
        ? entryOf(text, value, word)
        : text[value] === '['
          ? itemOf(text, value, Number(word))
          : undefined;
    if (next === undefined) break;
    ({ found, value } = next);
  }
  return found;
}

export interface KeyAgain {
  readonly key: string;
  readonly offset: number;
  /** Where it stands first. */
  readonly first: number;
}

/** The keys that stand again in the same object of a JSON text that can be read. */
export function keysAgain(text: string): KeyAgain[] {
  const again: KeyAgain[] = [];
  // Of each object that is open its keys; a list has none.
  const open: (Map<string, number> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '{') open.push(new Map());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    if (character !== '"') continue;
    const end = endOfString(text, at);
    const keys = open.at(-1);
    if (keys !== undefined && text[skipSpace(text, end)] === ':') {
      const key = JSON.parse(text.slice(at, end)) as string;
      const first = keys.get(key);
      if (first === undefined) keys.set(key, at);
      else again.push({ key, offset: at, first });
    }
    at = end - 1;
  }
  return again;
}

interface Inner {
  /** Where it is shown. */
  readonly found: number;
  readonly value: number;
}

/** Of equal keys the last counts, as for who reads the text. */
function entryOf(text: string, start: number, word: string): Inner | undefined {
  let entry: Inner | undefined;
  for (let at = skipSpace(text, start + 1); text[at] === '"';) {
    const end = endOfString(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (isWord(text.slice(at, end), word)) entry = { found: at, value };
    at = afterComma(text, endOfValue(text, value));
  }
  return entry;
}

function itemOf(text: string, start: number, index: number): Inner | undefined {
  let at = skipSpace(text, start + 1);
  for (let passed = 0; text[at] !== ']' && at < text.length; passed++) {
    if (passed === index) return { found: at, value: at };
    at = afterComma(text, endOfValue(text, at));
  }
  return undefined;
}

function isWord(quoted: string, word: string): boolean {
  return quoted.includes('\\')
    ? JSON.parse(quoted) === word
    : quoted.length === word.length + 2 && quoted.startsWith(word, 1);
}

/** Not recursive: a text may be as deep as it likes. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth--;
    } else if (depth > 0 || character !== ',') continue;
    if (depth === 0) return character === ',' ? at : at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function afterComma(text: string, at: number): number {
  const next = skipSpace(text, at);
  return text[next] === ',' ? skipSpace(text, next + 1) : next;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/^[ \t\r\n]$/.test(text[at] ?? '')) at++;
  return at;
}
