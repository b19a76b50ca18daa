import { sha256 } from '../content/hashing.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import { RecentMap } from '../core/recent-map.ts';
import { isSlowToRead } from '../richtext/guard.ts';
import { markdownToShow } from '../richtext/readable.ts';
import { NotComputed } from './read-computing.ts';

/** Reads the Markdown of an organization without holding this thread. Returns what `markdownToShow` does, as JSON. */
export type ReadApart = (organization: string, markdown: string) => Promise<string>;

/** Characters of the documents that are kept. A page is made soon after its text was read, and is kept itself then. */
const maxKept = 16_000_000;

/** Reads Markdown for pages: most texts at once, and slow ones apart, so that others do not wait for it. */
export class TextReader {
  readonly #readApart: ReadApart | undefined;
  /** Documents as JSON, by the hashes of their texts. */
  readonly #kept = new RecentMap<string>(maxKept, ({ length }) => length);
  readonly #running = new Map<string, Promise<string>>();

  /** Without `readApart`, all texts are read at once. */
  constructor(readApart?: ReadApart) {
    this.#readApart = readApart;
  }

  /** Reads a text in a transaction. @throws what `readComputing` catches, if it is to be read apart first */
  read(organization: string, markdown: string): RichDocumentValue {
    const readApart = this.#apart(organization, markdown);
    if (readApart === undefined) return markdownToShow(markdown);
    const kept = this.#kept.get(sha256(markdown));
    if (kept !== undefined) return JSON.parse(kept) as RichDocumentValue;
    throw new NotComputed(async () => void (await readApart()));
  }

  /** Reads a text outside of a transaction. Those who need the same slow text at the same time wait for one reading. */
  async readInTime(organization: string, markdown: string): Promise<RichDocumentValue> {
    const readApart = this.#apart(organization, markdown);
    return readApart === undefined
      ? markdownToShow(markdown)
      : (JSON.parse(await readApart()) as RichDocumentValue);
  }

  /** Returns what reads a text apart; undefined for one that is read at once. */
  #apart(organization: string, markdown: string): (() => Promise<string>) | undefined {
    const readApart = this.#readApart;
    if (readApart === undefined || !isSlowToRead(markdown)) return undefined;
    return () => this.#readOnce(readApart, organization, markdown);
  }

  #readOnce(readApart: ReadApart, organization: string, markdown: string): Promise<string> {
    const key = sha256(markdown);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = readApart(organization, markdown)
        .then((json) => {
          this.#kept.set(key, json);
          return json;
        })
        .finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }
}
