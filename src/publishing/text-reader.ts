import { sha256 } from '../content/hashing.ts';
import type { RichDocumentValue } from '../contract/shapes.ts';
import { RecentMap } from '../core/recent-map.ts';
import { isSlowToRead } from '../richtext/guard.ts';
import { markdownToShow } from '../richtext/readable.ts';
import { NotComputed } from './read-computing.ts';

/** Reads the Markdown of an organization as `markdownToShow` does, without holding this thread. */
export type ReadApart = (organization: string, markdown: string) => Promise<RichDocumentValue>;

/** Characters of the texts whose documents are kept. A page is made soon after its text was read, and is kept itself then. */
const maxKept = 1_000_000;

interface KeptDocument {
  readonly document: RichDocumentValue;
  readonly size: number;
}

/** Reads Markdown for pages: most texts at once, and slow ones apart, so that others do not wait for it. */
export class TextReader {
  readonly #readApart: ReadApart | undefined;
  readonly #kept = new RecentMap<KeptDocument>(maxKept, ({ size }) => size);
  readonly #running = new Map<string, Promise<RichDocumentValue>>();

  /** Without `readApart`, all texts are read at once. */
  constructor(readApart?: ReadApart) {
    this.#readApart = readApart;
  }

  /** Reads a text in a transaction. @throws what `readComputing` catches, if it is to be read apart first */
  read(organization: string, markdown: string): RichDocumentValue {
    if (this.#readApart === undefined || !isSlowToRead(markdown)) return markdownToShow(markdown);
    const kept = this.#kept.get(sha256(markdown));
    if (kept !== undefined) return kept.document;
    throw new NotComputed(async () => void (await this.readInTime(organization, markdown)));
  }

  /** Reads a text outside of a transaction. Those who need the same slow text at the same time wait for one reading. */
  async readInTime(organization: string, markdown: string): Promise<RichDocumentValue> {
    if (this.#readApart === undefined || !isSlowToRead(markdown)) return markdownToShow(markdown);
    const key = sha256(markdown);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#readApart(organization, markdown).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    const document = await running;
    this.#kept.set(key, { document, size: markdown.length });
    return document;
  }
}
