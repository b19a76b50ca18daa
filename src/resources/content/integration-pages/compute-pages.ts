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

/** Documents whose text one answer computes. Others are computed when they are read by themselves. */
const maxDocuments = 50;

/** Which texts computed pages get. */
interface Flags {
  readonly text: 'none' | 'markdown' | 'document';
  /** Only such pages, and those below them, get texts (default: all). */
  readonly isWanted?: (page: Pick<PageBody, 'id' | 'path'>) => boolean;
}

function sourceOf({ type, computed }: PageBody): IntegrationSource | undefined {
  const isIntegration = type === 'computed' && computed?.type.startsWith('integration:') === true;
  return isIntegration ? computed : undefined;
}

/**
 * Finds a page that an integration computes, by its ID or path, with the pages below it.
 *
 * @throws Problem(not-found)
 */
export function findIntegrationPage(
  content: ContentSource,
  pages: readonly PageBody[],
  wanted: { readonly id?: string; readonly path?: string },
  flags: Flags,
): Deferred<PageBody> {
  return new Deferred(async (services) => {
    const isWanted = (page: Pick<PageBody, 'id' | 'path'>): boolean =>
      page.id === wanted.id || (wanted.path !== undefined && page.path === wanted.path);
    const open = [...(await computeAll(services, content, pages, { ...flags, isWanted }))];
    for (const page of open) {
      if (page.computedSeed !== undefined && isWanted(page)) return page;
      open.push(...(page.pages ?? []));
    }
    throw notFound('page', wanted.id ?? wanted.path ?? '');
  });
}

/** Computes the pages of integrations among these, and below them. A source that fails stays as it is. */
export async function computeAll(
  services: Services,
  content: ContentSource,
  pages: readonly PageBody[],
  flags: Flags,
): Promise<PageBody[]> {
  const computer = new PageComputer(services, content.space);
  let documents = 0;
  const replace = async (siblings: readonly PageBody[], above: string): Promise<PageBody[]> => {
    const slugs = new Set(siblings.flatMap(({ slug }) => (slug === undefined ? [] : [slugKey(slug)])));
    const replaced: PageBody[] = [];
    for (const page of siblings) {
      const source = sourceOf(page);
      const answered = source === undefined ? undefined : await computer.revision(source);
      if (source === undefined || answered === undefined)
        replaced.push(
          page.pages === undefined ? page : { ...page, pages: await replace(page.pages, `${page.path}/`) },
        );
      else
        replaced.push(
          ...(await place(page, source, answered.pages, {
            above,
            slugs,
            trail: '',
            inside: flags.isWanted === undefined,
            withFileIds: fileReferences(page.id, answered.files),
          })),
        );
    }
    return replaced;
  };
  const place = async (
    seed: PageBody,
    source: IntegrationSource,
    answered: readonly AnsweredPage[],
    {
      above,
      slugs,
      trail,
      inside,
      withFileIds,
    }: {
      above: string;
      slugs: Set<string>;
      trail: string;
      /** Whether the pages get texts. */
      inside: boolean;
      withFileIds: FileReferences;
    },
  ): Promise<PageBody[]> => {
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
      const hasText = inside || flags.isWanted?.({ id: looks.id, path }) === true;
      const below = { above: `${path}/`, slugs: new Set<string>(), trail: own, inside: hasText, withFileIds };
      const inner = await place(seed, source, children, below);
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
          ...(hasText ? await textOf(source, page, withFileIds) : {}),
          layout: defaultLayout,
          tags: [],
          computed: page.source ?? source,
          urls: { app: appUrl(content, `/${path}`) },
        });
    }
    return placed;
  };
  const textOf = async (
    source: IntegrationSource,
    page: Pick<AnsweredPage, 'document' | 'markdown' | 'source'>,
    withFileIds: FileReferences,
  ): Promise<Pick<PageBody, 'markdown' | 'document'>> => {
    if (flags.text === 'none') return {};
    // An integration computes its own documents only.
    const integration = source.type.slice(0, source.type.lastIndexOf(':') + 1);
    const isComputed = page.source?.type.startsWith(integration) === true;
    if (page.source !== undefined && (!isComputed || ++documents > maxDocuments)) return {};
    const text = withFileIds(
      page.source === undefined ? page : ((await computer.document(page.source)) ?? {}),
    );
    const markdown = await markdownOf(text);
    if (flags.text === 'markdown') return { markdown };
    if (text.document !== undefined) return { document: text.document };
    const { markdownToDocument } = await import('../../../richtext/markdown.ts');
    return { document: markdownToDocument(markdown) };
  };
  return replace(pages, '');
}
