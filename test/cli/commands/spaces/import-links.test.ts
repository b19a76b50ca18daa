import { expect, it } from 'vitest';
import { findBrokenByMerge, noteBroken } from '../../../../src/cli/commands/spaces/import-links.ts';
import type { LinkImpact } from '../../../../src/cli/results/link-impact.ts';
import type { Session } from '../../../../src/cli/session/session.ts';
import type { ContentChange } from '../../../../src/content/changes.ts';

const noteOf = (links: LinkImpact | string): string => {
  let noted = '';
  noteBroken({ note: (text: string) => void (noted += text) } as Session, 'spc_1', links);
  return noted;
};
const impact = (count: number, brokenNew: number): LinkImpact => ({
  count,
  brokenNew,
  brokenLinks: [],
  brokenBefore: 0,
  redirects: [],
  brokenRedirects: [],
});
const list = 'To list all broken links, run `docsctl spaces links spc_1 --status broken`.';

it('noteBroken reports how many links an import broke, and how many new links are broken', () => {
  expect(noteOf(impact(0, 0))).toBe('');
  expect(noteOf(impact(1, 0))).toBe(`warning: 1 link no longer leads to a page or anchor. ${list}`);
  expect(noteOf(impact(2, 2))).toBe(`warning: 2 new links lead to no page or anchor. ${list}`);
  expect(noteOf(impact(4, 1))).toBe(
    `warning: 3 links no longer lead to a page or anchor, and 1 new link leads to none. ${list}`,
  );
});

it('findBrokenByMerge does not check more than 500 changes, and noteBroken says how to list broken links', async () => {
  const pages: ContentChange[] = Array.from({ length: 501 }, (_, at) => ({
    operation: 'delete_page',
    page: `pag_${at}`,
  }));
  const plan = { pages, texts: [], files: [], deletedFiles: [] };
  // This session cannot make calls.
  const links = await findBrokenByMerge({} as Session, plan, {
    organization: 'org_1',
    spaceId: 'spc_1',
    changeRequestId: 'crq_1',
  });
  expect(noteOf(links)).toBe(
    'The links were not checked. They are checked after an import of up to 500 changes, and this import made 501. To list the broken links of the space, run `docsctl spaces links spc_1 --status broken`.',
  );
});
