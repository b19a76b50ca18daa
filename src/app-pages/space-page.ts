import { plural } from '../contract/values.ts';
import { emojiOf } from '../contract/emoji.ts';
import { markup } from '../render/markup.ts';
import { listChangeRequests } from '../resources/change-requests/contract.ts';
import { commentsSection } from './comments.ts';
import { contentOfSpace, fileHref, readPages, type ContentPlace } from './content-place.ts';
import { facts, outsideLink, pager, pageQuery, rows, section, timeOf, words } from './page-parts.ts';
import { pageList } from './page-list.ts';
import { readParent, type PageContext, type PageView } from './page-view.ts';
import { openSpace } from './trails.ts';

/** The page of a space: its pages, files, change requests and comments. */
export async function spacePage(
  context: PageContext,
  { organizationId = '', spaceId = '' }: Readonly<Record<string, string>>,
): Promise<PageView> {
  const { href, pageOf } = context;
  const { space, trail } = await openSpace(context, organizationId, spaceId);
  const place = contentOfSpace(organizationId, spaceId);
  const parent = await readParent(context, space);
  const requests = await context.api.call(listChangeRequests, {
    params: { spaceId },
    query: pageQuery(context, 'requests'),
  });
  const { published } = space.urls;
  return {
    kind: 'Space',
    title: `${emojiOf(space.emoji ?? '')} ${space.title}`.trimStart(),
    picture: space.icon,
    trail:
      parent === undefined
        ? trail
        : [...trail, { title: parent.title, href: pageOf(parent.urls.app) ?? href('/') }],
    links: [{ title: 'PDF', href: href(`/o/~download/spaces/${spaceId}/pdf/download`) }],
    body: [
      facts([
        ['Visibility', space.visibility],
        ['Published at', outsideLink(published)],
        ['Editing', space.editMode === 'locked' ? 'locked' : 'in change requests'],
        ['Language', space.language],
        ['Comments', space.comments],
        ['Updated', timeOf(space.updatedAt)],
      ]),
      await contentParts(context, place),
      section(
        'Change requests',
        [
          rows(
            requests.items.map(({ number, subject, status, urls, createdBy, updatedAt }) => ({
              title: `${number}: ${subject}`,
              href: pageOf(urls.app),
              tags: [status],
              note: [createdBy.displayName, ', ', timeOf(updatedAt)],
            })),
            'There are no change requests.',
          ),
          pager(context, 'requests', requests),
        ],
        requests.count,
      ),
      await commentsSection(context, place),
    ],
  };
}

/** Renders the pages and files of a content. */
export async function contentParts(context: PageContext, place: ContentPlace) {
  const pages = await readPages(context, place);
  const files = await context.api.call(place.operations.listFiles, {
    params: place.ref,
    query: { ...pageQuery(context, 'files'), metadata: false },
  });
  return [
    section(
      'Pages',
      pages.length === 0 ? markup`<p class="none">There are no pages.</p>` : pageList(context, place, pages),
    ),
    files.count === 0
      ? ''
      : section(
          'Files',
          [
            rows(
              files.items.map(({ id, name, contentType, size }) => ({
                title: name,
                href: fileHref(context, place, id),
                note: `${contentType}, ${words.size(size)}`,
              })),
              plural(0, 'file'),
            ),
            pager(context, 'files', files),
          ],
          files.count,
        ),
  ];
}
