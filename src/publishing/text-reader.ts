import { sha256 } from '../content/hashing.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import { RecentMap } from '../core/recent-map.ts';
import { isSlowToRead } from '../richtext/guard.ts';
import { markdownToShow } from '../richtext/readable.ts';
import { NotComputed } from './read-computing.ts';

/** Reads the Markdown of an organization without blocking this thread. Returns the result of `markdownToShow` as JSON. */
export type ReadApart = (organization: string, markdown: string) => Promise<string>;

/** Maximum characters of cached documents. They are needed only until their page is rendered, which is cached too. */
const maxKept = 16_000_000;

/** Reads Markdown for pages: most texts synchronously, and slow ones in another thread, so that others do not wait. */
export class TextReader {
  readonly #readApart: ReadApart | undefined;
  /** Documents as JSON, by the hashes of their texts. */
  readonly #kept = new RecentMap<string>(maxKept, ({ length }) => length);
  readonly #running = new Map<string, Promise<string>>();

  /** Without `readApart`, all texts are read synchronously. */
  constructor(readApart?: ReadApart) {
    this.#readApart = readApart;
  }

  /** Reads a text in a transaction. @throws the errors that `readComputing` catches, if another thread has to read it first */
  read(organization: string, markdown: string): RichDocumentValue {
    const readApart = this.#apart(organization, markdown);
    if (readApart === undefined) return markdownToShow(markdown);
    const kept = this.#kept.get(sha256(markdown));
    if (kept !== undefined) return JSON.parse(kept) as RichDocumentValue;
    throw new NotComputed(async () => void (await readApart()));
  }

  /** Reads a text outside of a transaction. Concurrent calls for the same slow text share the work. */
  async readInTime(organization: string, markdown: string): Promise<RichDocumentValue> {
    const readApart = this.#apart(organization, markdown);
    return readApart === undefined
      ? markdownToShow(markdown)
      : (JSON.parse(await readApart()) as RichDocumentValue);
  }

  /** Returns a function that reads a text in another thread; undefined if the text is fast enough to read here. */
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
