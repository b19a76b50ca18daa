import type { Problem } from '../../src/errors/problem.ts';
import * as requests from '../../src/resources/change-requests/contract.ts';
import * as requestContent from '../../src/resources/content/change-request/contract.ts';
import * as spacePages from '../../src/resources/content/space-pages/contract.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import type { Who, World } from '../support/world.ts';
import type { ContentChange } from '../../src/content/changes.ts';

/** Shortcuts for calls that tests of content make repeatedly. */
export async function openDesk(world: World) {
  const space = await world
    .as('admin')
    .call(spaces.createSpace, { params: { organizationId: world.org }, body: { title: 'Guide' } });
  const spaceId = space.id;
  const at = (changeRequestId: string | number) => ({ spaceId, changeRequestId: String(changeRequestId) });
  const createRequest = (body: object = {}, who: Who = 'edit') =>
    world.as(who).call(requests.createChangeRequest, { params: { spaceId }, body });
  const edit = (id: string | number, changes: ContentChange[], who: Who = 'edit') =>
    world
      .as(who)
      .call(requestContent.updateContent, { params: at(id), query: { compat: false }, body: { changes } });
  const merge = (id: string | number, who: Who = 'review') =>
    world.as(who).call(requests.mergeChangeRequest, { params: at(id) });
  return {
    spaceId,
    at,
    createRequest,
    edit,
    merge,
    /** Publishes changes to the space by merging a change request. */
    publish: async (...changes: ContentChange[]) => {
      const { number } = await createRequest();
      const answer = await edit(number, changes, 'admin');
      await merge(number, 'admin');
      return answer;
    },
    space: () => world.as('admin').call(spaces.getSpace, { params: { spaceId } }),
    pages: async () => (await world.as('read').call(spacePages.listPages, { params: { spaceId } })).pages,
  };
}
export type Desk = Awaited<ReturnType<typeof openDesk>>;

export const page = (title: string, more: object = {}): ContentChange => ({
  operation: 'insert_page',
  title,
  document: { markdown: `# ${title}\n` },
  ...more,
});

/** Returns the paths of pages, nested like the pages. */
export function outline(pages: readonly PageBody[] = []): unknown[] {
  return pages.map((each) =>
    (each.pages ?? []).length === 0 ? (each.path ?? each.href) : [each.path, outline(each.pages)],
  );
}

export const reason = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (problem: Problem) => problem.reason,
  );
