import { latestVersions } from '../content/generated/open-specification.ts';
import { sha256 } from '../content/hashing.ts';
import { plural } from '../contract/values.ts';
import { readFresh } from '../core/embedded.ts';
import { Deferred, type Services } from '../core/handler.ts';
import { yieldingTransaction } from '../core/yielding-transaction.ts';
import { listedSpaces, markdownPageOf } from './agent-files.ts';
import { markdown } from './content-types.ts';
import { madeApart } from './made-apart.ts';
import { MarkdownLinks } from './markdown-links.ts';
import type { OpenSpace } from './page-links.ts';
import type { EndpointAnswer } from './site-request.ts';
import type { SiteView } from './site-view.ts';
import { documentsOf, type SitePage } from './space-pages.ts';
import type { Visit } from './visit.ts';

/** Maximum length of llms-full.txt, in characters. */
const maxLength = 8_000_000;
/** Maximum milliseconds of one transaction that reads texts, because page requests wait for it. */
const maxPiece = 20;
/** A page that is part of the text of the site. */
interface ListedPage {
  readonly open: OpenSpace;
  readonly page: SitePage;
}

/**
 * Answers with the texts of all pages of a site, as many as fit: llms-full.txt. All texts are from the current revisions of the
 * site. They are read after the transaction: in another thread if there is one, or in short transactions, so that others can read
 * meanwhile.
 */
export async function fullTextAnswer(visit: Visit): Promise<EndpointAnswer> {
  const { view, cache, runsScripts } = visit;
  const pages: ListedPage[] = [];
  const computed: string[] = [];
  for (const shown of listedSpaces(view.map)) {
    const open = await view.openSpace(shown);
    for (const page of documentsOf(open.pages.roots).filter(({ isSearched }) => isSearched)) {
      const text = page.text?.();
      if (text !== undefined) computed.push(text);
      pages.push({ open, page: text === undefined ? page : { ...page, text: () => text } });
    }
  }
  const specifications = await latestVersions(view.tx, view.organization.id);
  const key = JSON.stringify([view.fingerprint(), specifications, sha256(JSON.stringify(computed))]);
  const madeOf = sha256(key);
  const answer = (body: Buffer) => ({ status: 200, headers: markdown, body, madeOf });
  // Copies of sites read many files in one transaction, so they get the whole text at once.
  if (runsScripts === false) {
    const writer = new FullText(pages);
    await writer.write(view, Number.POSITIVE_INFINITY);
    return answer(writer.text(view));
  }
  return new Deferred(async (services: Services) =>
    answer(
      await cache.fullTexts.get(key, async () => {
        const made = await madeApart(visit, madeOf);
        if (made !== undefined) return made;
        const writer = new FullText(pages);
        while (!writer.isWhole) {
          await readFresh(services, (tx) =>
            writer.write(view.inTransaction(yieldingTransaction(tx)), maxPiece),
          );
          // Yields to other work.
          await new Promise(setImmediate);
        }
        return writer.text(view);
      }),
    ),
  );
}

/** The text of many pages, while it is being written. */
class FullText {
  readonly #pages: readonly ListedPage[];
  readonly #parts: Buffer[] = [];
  #next = 0;
  #length = 0;

  constructor(pages: readonly ListedPage[]) {
    this.#pages = pages;
  }

  get isWhole(): boolean {
    return this.#next >= this.#pages.length || this.#length > maxLength;
  }

  /** Adds the next pages for `time` milliseconds, at least one page. */
  async write(view: SiteView, time: number): Promise<void> {
    const end = performance.now() + time;
    let links: MarkdownLinks | undefined;
    let space: OpenSpace | undefined;
    for (;;) {
      const next = this.#pages[this.#next];
      if (next === undefined || this.isWhole) return;
      const { open, page } = next;
      if (links === undefined || open !== space) links = new MarkdownLinks(view, open);
      space = open;
      const text = `${await markdownPageOf(view, open, page, links)}\n\n`;
      this.#length += text.length;
      this.#parts.push(Buffer.from(text));
      this.#next++;
      if (performance.now() >= end) return;
    }
  }

  text({ map, origin }: SiteView): Buffer {
    const left = this.#pages.length - this.#next;
    const note = `(${plural(left, 'more page')} left out. All pages: ${origin}${map.base}llms.txt)\n`;
    return Buffer.concat(left === 0 ? this.#parts : [...this.#parts, Buffer.from(note)]);
  }
}
