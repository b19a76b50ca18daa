import { flattenPages, getOrInsert } from '../../../contract/values.ts';
import type { BookPage } from '../../../pdf/book.ts';
import type { RichDocumentValue } from '../../../contract/shapes.ts';
import type { Services } from '../../../core/handler.ts';
import { markdownToRead } from '../../../richtext/readable.ts';
import { notFound, Problem } from '../../../errors/problem.ts';
import type { ContentSource } from '../../../content/content-source.ts';
import type { PageBody } from '../schemas.ts';

/** A place in a book whose pages an integration computes after the transaction. */
interface ComputedPlace {
  /** The page of the type computed. */
  readonly seed: string;
  readonly depth: number;
  readonly choice: PageChoice;
}

/** Which generated or computed pages are printed: all, or one of them with or without its descendants. */
export interface PageChoice {
  readonly id?: string;
  readonly isAlone?: boolean;
}

/** A page of a book, or a place whose pages an integration computes. */
export type BookPlace = BookPage | ComputedPlace;

/** Parses a text as a document to print. Returns null if the text cannot be parsed as Markdown. */
export function parseDocument(markdown: string): RichDocumentValue | null {
  try {
    return markdownToRead(markdown);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Converts generated or computed pages to pages of a book. @throws Problem(not-found) if the chosen page is not among them */
export function bookPagesOf(
  pages: readonly PageBody[],
  depth: number,
  { id, isAlone }: PageChoice,
): BookPage[] {
  const flat = (bodies: readonly PageBody[], level: number): BookPage[] =>
    bodies.flatMap((body) =>
      body.type === 'link' ? [] : [bookPageOf(body, level), ...flat(body.pages ?? [], level + 1)],
    );
  if (id === undefined) return flat(pages, depth);
  const chosen = flattenPages(pages).find((page) => page.id === id);
  if (chosen === undefined || chosen.type === 'link') throw notFound('page', id);
  return isAlone === true ? [bookPageOf(chosen, depth)] : flat([chosen], depth);
}

function bookPageOf(
  { id, type, title, path = '', description, emoji, markdown, document: given }: PageBody,
  depth: number,
): BookPage {
  // If a source fails, its title is printed, so that readers see that something is missing.
  const document =
    given ?? (type === 'computed' ? { object: 'document' as const, data: {}, nodes: [] } : undefined);
  const read =
    markdown !== undefined
      ? () => parseDocument(markdown)
      : document !== undefined
        ? () => document
        : undefined;
  return { id, title, linkTitle: undefined, depth, path, description, emoji, document: read };
}

/**
 * Replaces the places of integrations by the computed pages. If an integration fails, only the title of the place is printed.
 *
 * @throws Problem(not-found) if a chosen page does not exist anymore
 */
export async function fillPlaces(
  services: Services,
  content: ContentSource,
  places: readonly BookPlace[],
  pages: readonly PageBody[],
): Promise<BookPage[]> {
  if (!places.some((place) => 'seed' in place)) return places as readonly BookPage[] as BookPage[];
  const { computeAll } = await import('../integration-pages/compute-pages.ts');
  const computed = await computeAll(services, content, pages, { text: 'markdown' });
  const bySeed = new Map<string, PageBody[]>();
  const collect = (bodies: readonly PageBody[], above: string | undefined): void => {
    for (const body of bodies) {
      const seed = body.computedSeed ?? (body.type === 'computed' ? body.id : undefined);
      if (seed !== undefined && seed !== above) getOrInsert(bySeed, seed, () => []).push(body);
      collect(body.pages ?? [], seed);
    }
  };
  collect(computed, undefined);
  return places.flatMap((place) =>
    'seed' in place ? bookPagesOf(bySeed.get(place.seed) ?? [], place.depth, place.choice) : [place],
  );
}
