const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function checkName(name: string): string {
  if (!namePattern.test(name)) throw new TypeError(`Invalid header name: ${name}`);
  return name.toLowerCase();
}

function checkValue(value: string): string {
  const trimmed = value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\n\r]|[^\0-\xff]/.test(trimmed)) throw new TypeError(`Invalid header value: ${trimmed}`);
  return trimmed;
}

/** `Headers` of the Fetch standard. */
export class Headers {
  #list: [string, string][] = [];
  constructor(init?: unknown) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'object') throw new TypeError('Headers must be an object, a list or Headers.');
    const isList = typeof (init as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
    const pairs = isList ? [...(init as Iterable<Iterable<string>>)] : Object.entries(init);
    for (const pair of pairs) {
      const [name, value, ...rest] = [...pair];
      if (name === undefined || value === undefined || rest.length > 0)
        throw new TypeError('Each header must be a pair of a name and a value.');
      this.append(name, value);
    }
  }
  append(name: string, value: string): void {
    this.#list.push([checkName(String(name)), checkValue(String(value))]);
  }
  delete(name: string): void {
    const key = checkName(String(name));
    this.#list = this.#list.filter(([one]) => one !== key);
  }
  get(name: string): string | null {
    const key = checkName(String(name));
    const values = this.#list.filter(([one]) => one === key).map(([, value]) => value);
    return values.length === 0 ? null : values.join(', ');
  }
  getSetCookie(): string[] {
    return this.#list.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
  }
  has(name: string): boolean {
    const key = checkName(String(name));
    return this.#list.some(([one]) => one === key);
  }
  set(name: string, value: string): void {
    this.delete(name);
    this.append(name, value);
  }
  forEach(act: (value: string, name: string, all: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) act.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    for (const name of [...new Set(this.#list.map(([one]) => one))].sort())
      if (name === 'set-cookie') for (const value of this.getSetCookie()) yield [name, value];
      else yield [name, this.get(name) ?? ''];
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
