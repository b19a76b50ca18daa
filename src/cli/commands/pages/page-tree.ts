import type { Command } from 'commander';
import { getOrInsert } from '../../../contract/values.ts';
import { openContent, type ContentRef } from '../../../content-sync/space-content.ts';
import type { PageBody } from '../../../resources/content/schemas.ts';
import { resolvePage } from './read-page.ts';
import type { Session } from '../../session/session.ts';
import { refuseTogether } from '../../input/given-twice.ts';

export interface PlaceOptions {
  readonly under?: string;
  readonly before?: string;
  readonly after?: string;
}

/** The place of a page: its parent, and its index among the other children. */
export interface Place {
  readonly into: string | null;
  readonly at: number;
}

/** Adds the options for the place of a page. */
export function addPlaceOptions(command: Command): Command {
  return command
    .option('--under <page>', 'put the pages below this page, after those that are already below it')
    .option('--before <page>', 'put the pages directly before this page')
    .option('--after <page>', 'put the pages directly after this page');
}

/** @throws Problem(usage) if more than one place is given */
export function checkPlaceOptions({ under, before, after, top }: PlaceOptions & { top?: boolean }): void {
  refuseTogether({ under, before, after, top });
}

/** The children of each page of a content. It is updated while pages are moved. */
export class PageTree {
  readonly #children = new Map<string | null, string[]>();
  readonly #parents = new Map<string, string | null>();

  constructor(pages: readonly PageBody[]) {
    this.#add(null, pages);
  }

  #add(parent: string | null, pages: readonly PageBody[]): void {
    this.#children.set(
      parent,
      pages.map(({ id }) => id),
    );
    for (const { id, pages: inner = [] } of pages) {
      this.#parents.set(id, parent);
      this.#add(id, inner);
    }
  }

  /** Puts a page at the end of a parent, or beside a sibling, and returns its place. */
  put(id: string, target: Target): Place {
    const { parent, sibling, isAfter } = target;
    const before = this.#siblingsOf(this.#parents.get(id) ?? null);
    const own = before.indexOf(id);
    if (own >= 0) before.splice(own, 1);
    const into = sibling === undefined ? parent : (this.#parents.get(sibling) ?? null);
    const siblings = this.#siblingsOf(into);
    const at = sibling === undefined ? siblings.length : siblings.indexOf(sibling) + Number(isAfter);
    siblings.splice(at, 0, id);
    this.#parents.set(id, into);
    return { into, at };
  }

  #siblingsOf(parent: string | null): string[] {
    return getOrInsert(this.#children, parent, () => []);
  }
}

interface Target {
  readonly parent: string | null;
  /** The page beside which the other page is put. */
  readonly sibling?: string;
  readonly isAfter?: boolean;
}

/** Reads the tree of pages of a content. */
export async function readTree(session: Session, content: ContentRef): Promise<PageTree> {
  const reader = await openContent(await session.api(), content, session.runtime.signal);
  return new PageTree(await reader.pages(false));
}

/** Resolves the options for a place (default: the end of the top level). */
export async function resolveTarget(
  session: Session,
  content: ContentRef,
  { under, before, after }: PlaceOptions,
): Promise<Target> {
  const resolve = (page: string) => resolvePage(session, page, content);
  const sibling = before ?? after;
  if (sibling !== undefined)
    return { parent: null, sibling: await resolve(sibling), isAfter: before === undefined };
  return { parent: under === undefined ? null : await resolve(under) };
}
