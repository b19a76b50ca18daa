import { defaultLayout } from '../../../contract/page-layout.ts';
import type { IntegrationSource } from '../../../content/computed-source.ts';
import { sha256 } from '../../../content/hashing.ts';
import { freeSlug, slugKey, toSlug } from '../../../content/slugs.ts';
import type { ContentSource } from '../../../content/content-source.ts';
import { defined } from '../../../contract/values.ts';
import { notFound } from '../../../errors/problem.ts';
import { Deferred, type Services } from '../../../core/handler.ts';
import { markdownOf } from '../../../content/page-text.ts';
import type { PageBody } from '../schemas.ts';
import { appUrl } from '../shape.ts';
import { fileReferences, type FileReferences } from './file-references.ts';
import { PageComputer } from './page-computer.ts';
import type { AnsweredPage } from './read-answer.ts';

/**
 * Maximum number of documents whose text is computed for one response. Others are computed only when they are read individually.
 */
const maxDocuments = 50;

/** Which computed pages get texts. */
interface Flags {
  readonly text: 'none' | 'markdown' | 'document';
  /** Only pages that match, and their descendants, get texts (default: all). */
  readonly isWanted?: (page: Pick<PageBody, 'id' | 'path'>) => boolean;
}

function sourceOf({ type, computed }: PageBody): IntegrationSource | undefined {
  const isIntegration = type === 'computed' && computed?.type.startsWith('integration:') === true;
  return isIntegration ? computed : undefined;
}

/** Finds a page that an integration computes, by its ID or path, with its descendants. @throws Problem(not-found) */
export function findIntegrationPage(
  content: ContentSource,
  pages: readonly PageBody[],
  wanted: { id?: string; path?: string },
  flags: Flags,
): Deferred<PageBody> {
  return new Deferred(async (services) => {
    const isWanted = (page: Pick<PageBody, 'id' | 'path'>) =>
      page.id === wanted.id || (wanted.path !== undefined && page.path === wanted.path);
    const open = [...(await computeAll(services, content, pages, { ...flags, isWanted }))];
    for (const page of open) {
      if (page.computedSeed !== undefined && isWanted(page)) return page;
      open.push(...(page.pages ?? []));
    }
    throw notFound('page', wanted.id ?? wanted.path ?? '');
  });
}

/** Replaces the pages of integrations in a tree by computed pages. A page whose source fails is kept. */
export function computeAll(
  services: Services,
  content: ContentSource,
  pages: readonly PageBody[],
  flags: Flags,
): Promise<PageBody[]> {
  return new PageReplacer(services, content, flags).replace(pages, '');
}

/** The place of computed pages in the tree. */
interface Place {
  /** The page that the computed pages replace. */
  readonly seed: PageBody;
  readonly source: IntegrationSource;
  /** The path of the ancestors, with a trailing slash. */
  readonly above: string;
  /** The slugs of siblings. */
  readonly slugs: Set<string>;
  /** The keys of the ancestors. */
  readonly trail: string;
  /** Whether the pages get texts. */
  readonly inside: boolean;
  readonly withFileIds: FileReferences;
}

class PageReplacer {
  readonly #computer: PageComputer;
  readonly #content: ContentSource;
  readonly #flags: Flags;
  #documents = 0;

  constructor(services: Services, content: ContentSource, flags: Flags) {
    this.#computer = new PageComputer(services, content.space);
    this.#content = content;
    this.#flags = flags;
  }

  async replace(siblings: readonly PageBody[], above: string): Promise<PageBody[]> {
    const slugs = new Set(siblings.flatMap(({ slug }) => (slug === undefined ? [] : [slugKey(slug)])));
    const inside = this.#flags.isWanted === undefined;
    const replaced: PageBody[] = [];
    for (const page of siblings) {
      const source = sourceOf(page);
      const answered = source === undefined ? undefined : await this.#computer.revision(source);
      if (source !== undefined && answered !== undefined) {
        const withFileIds = fileReferences(page.id, answered.files);
        const place = { seed: page, source, above, slugs, trail: '', inside, withFileIds };
        replaced.push(...(await this.#place(answered.pages, place)));
      } else
        replaced.push(
          page.pages === undefined
            ? page
            : { ...page, pages: await this.replace(page.pages, `${page.path}/`) },
        );
    }
    return replaced;
  }

  async #place(answered: readonly AnsweredPage[], place: Place): Promise<PageBody[]> {
    const { seed, source, above, slugs, trail, inside } = place;
    const placed: PageBody[] = [];
    for (const { type, key, title, slug: wanted, pages: children, href, ...page } of answered) {
      const own = `${trail}/${key}`;
      const { description, icon, emoji, hidden = seed.hidden } = page;
      const looks = {
        id: `${seed.id}-${sha256(own).slice(0, 12)}`,
        title,
        ...defined({ icon, emoji, hidden, createdAt: seed.createdAt, updatedAt: seed.updatedAt }),
        computedSeed: seed.id,
      } as const;
      if (type === 'link') {
        const target = { kind: 'url' as const, url: href ?? '' };
        placed.push({ ...looks, type, kind: 'link', target, href: target.url });
        continue;
      }
      const slug = freeSlug(toSlug(wanted ?? title), slugs);
      slugs.add(slug);
      const path = above + slug;
      const hasText = inside || this.#flags.isWanted?.({ id: looks.id, path }) === true;
      const below = { ...place, above: `${path}/`, slugs: new Set<string>(), trail: own, inside: hasText };
      const inner = await this.#place(children, below);
      if (type === 'group') placed.push({ ...looks, type, kind: 'group', slug, path, pages: inner });
      else
        placed.push({
          ...looks,
          type,
          kind: 'sheet',
          slug,
          path,
          pages: inner,
          ...defined({ description }),
          ...(hasText ? await this.#textOf(page, place) : {}),
          layout: defaultLayout,
          tags: [],
          computed: page.source ?? source,
          urls: { app: appUrl(this.#content, `/${path}`) },
        });
    }
    return placed;
  }

  async #textOf(
    page: Pick<AnsweredPage, 'document' | 'markdown' | 'source'>,
    { source, withFileIds }: Place,
  ): Promise<Pick<PageBody, 'markdown' | 'document'>> {
    if (this.#flags.text === 'none') return {};
    // An integration may only compute documents of its own sources.
    const integration = source.type.slice(0, source.type.lastIndexOf(':') + 1);
    const isComputed = page.source?.type.startsWith(integration) === true;
    if (page.source !== undefined && (!isComputed || ++this.#documents > maxDocuments)) return {};
    const text = withFileIds(
      page.source === undefined ? page : ((await this.#computer.document(page.source)) ?? {}),
    );
    const markdown = await markdownOf(text, undefined, this.#content.space.id);
    if (this.#flags.text === 'markdown') return { markdown };
    if (text.document !== undefined) return { document: text.document };
    const { markdownToDocument } = await import('../../../richtext/markdown.ts');
    return { document: markdownToDocument(markdown) };
  }
}
