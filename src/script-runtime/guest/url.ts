import { textFromHost } from './host.ts';

type Parts = Record<
  | 'href'
  | 'origin'
  | 'protocol'
  | 'username'
  | 'password'
  | 'host'
  | 'hostname'
  | 'port'
  | 'pathname'
  | 'search'
  | 'hash',
  string
>;
type Pairs = [string, string][];

/** The URL standard's URL, parsed by the host. */
// The interface below names the properties that its static block defines.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class URL {
  #parts: Parts;
  #query: URLSearchParams | undefined;
  constructor(url: string | URL, base?: string | URL) {
    const input = base === undefined ? [String(url)] : [String(url), String(base)];
    this.#parts = JSON.parse(textFromHost('url', input)) as Parts;
  }
  static canParse(url: string, base?: string): boolean {
    return URL.parse(url, base) !== null;
  }
  static parse(url: string, base?: string): URL | null {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }
  get origin(): string {
    return this.#parts.origin;
  }
  get searchParams(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#parts.search, (text) => this.#set('search', text));
    return this.#query;
  }
  #get(name: keyof Parts): string {
    return this.#parts[name];
  }
  #set(name: keyof Parts, value: string): void {
    this.#parts = JSON.parse(textFromHost('url-set', [this.#parts.href, name, String(value)])) as Parts;
  }
  toString(): string {
    return this.#parts.href;
  }
  toJSON(): string {
    return this.#parts.href;
  }
  static {
    const names = [
      'href',
      'protocol',
      'username',
      'password',
      'host',
      'hostname',
      'port',
      'pathname',
      'search',
      'hash',
    ] as const;
    for (const name of names)
      Object.defineProperty(URL.prototype, name, {
        enumerable: true,
        configurable: true,
        get(this: URL) {
          return this.#get(name);
        },
        set(this: URL, value: string) {
          this.#set(name, value);
          if (name === 'search' || name === 'href') this.#query?.reset(this.#parts.search);
        },
      });
  }
}

/** The properties of a URL that can be set. */
export interface URL extends Omit<Parts, 'origin'> {}

/** `URLSearchParams` of the URL standard. */
export class URLSearchParams {
  #pairs: Pairs = [];
  readonly #changed: ((text: string) => void) | undefined;
  constructor(init: unknown = '', changed?: (text: string) => void) {
    this.#changed = changed;
    if (typeof init === 'object' && init !== null) this.#pairs = pairsOf(init);
    else this.#pairs = parse(String(init));
  }
  /** Replaces the parameters by those of a query. Only for the URL that owns them. */
  reset(search: string): void {
    this.#pairs = parse(search);
  }
  get size(): number {
    return this.#pairs.length;
  }
  append(name: string, value: string): void {
    this.#pairs.push([String(name), String(value)]);
    this.#changed?.(this.toString());
  }
  delete(name: string, value?: string): void {
    this.#pairs = this.#pairs.filter(([key, one]) => key !== name || (value !== undefined && one !== value));
    this.#changed?.(this.toString());
  }
  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name: string, value?: string): boolean {
    return this.#pairs.some(([key, one]) => key === String(name) && (value === undefined || one === value));
  }
  set(name: string, value: string): void {
    const at = this.#pairs.findIndex(([key]) => key === String(name));
    if (at === -1) return this.append(name, value);
    const pair: [string, string] = [String(name), String(value)];
    this.#pairs = this.#pairs.flatMap((one, index) =>
      index === at ? [pair] : one[0] === pair[0] ? [] : [one],
    );
    this.#changed?.(this.toString());
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#changed?.(this.toString());
  }
  forEach(act: (value: string, name: string, all: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this) act.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map((pair) => pair.map(escape).join('=')).join('&');
  }
}

function pairsOf(init: object): Pairs {
  const isList = typeof (init as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
  const pairs = isList ? [...(init as Iterable<Iterable<string>>)] : Object.entries(init);
  return pairs.map((given) => {
    const pair = [...given];
    if (pair.length !== 2) throw new TypeError('Each parameter must be a pair of a name and a value.');
    return [String(pair[0]), String(pair[1])];
  });
}

function parse(text: string): Pairs {
  return text
    .replace(/^\?/, '')
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const at = piece.indexOf('=');
      return at === -1
        ? [unescape(piece), '']
        : [unescape(piece.slice(0, at)), unescape(piece.slice(at + 1))];
    });
}

function unescape(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return spaced.includes('%') ? textFromHost('percent-decode', spaced) : spaced;
}

function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
