import fc from 'fast-check';
import type { Static } from '../../src/contract/schema.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createChangeRequest, mergeChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import { getContent } from '../../src/resources/content/space/contract.ts';
import { addExternalLink, deleteExternalLink } from '../../src/resources/site-external-links/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import {
  addSectionGroup,
  deleteSectionGroup,
  updateSectionGroup,
} from '../../src/resources/site-section-groups/contract.ts';
import { addSection, deleteSection, updateSection } from '../../src/resources/site-sections/contract.ts';
import type { SiteSection } from '../../src/resources/site-sections/contract.ts';
import {
  addSiteSpace,
  deleteSiteSpace,
  duplicateSiteSpace,
  updateSiteSpace,
  type SiteSpace,
} from '../../src/resources/site-spaces/contract.ts';
import {
  getSite,
  getSiteStructure,
  publishSite,
  sortSiteStructure,
  unpublishSite,
  updateSite,
} from '../../src/resources/sites/contract.ts';
import { createSpace, deleteSpace, restoreSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import type { PublishedSite } from './published-site.ts';

/** A random change of a site. The numbers choose what it changes, among what the site has at that time. */
export interface Step {
  readonly kind: keyof typeof steps;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly redirects: boolean;
}

/** The structure of a site at one time. */
export interface Look {
  readonly sections: readonly Static<typeof SiteSection>[];
  readonly groups: readonly string[];
  readonly links: readonly string[];
  readonly shown: readonly Static<typeof SiteSpace>[];
}

const conditions = ['visitor.claims.plan == "pro"', 'visitor.claims.unsigned.beta == true', null] as const;
const names = ['guide', 'api', 'setup', 'more'] as const;

/** A site that steps change. */
export class SteppedSite {
  readonly site: PublishedSite;
  /** The key of a share link. */
  readonly shareKey: string;
  readonly spaces: string[];
  readonly deleted: string[] = [];
  /** The sources of redirects that a step created. */
  readonly sources: string[] = [];
  #words = 0;

  constructor(site: PublishedSite, shareKey: string) {
    this.site = site;
    this.shareKey = shareKey;
    this.spaces = [site.spaceId];
  }

  /** Returns a word that no other text has. */
  word(): string {
    return `zq${String(++this.#words).padStart(4, '0')}x`;
  }

  call: PublishedSite['call'] = (...given) => this.site.call(...given);

  async look(): Promise<Look> {
    const { visibility } = await this.call(getSite, this.site.site);
    const query = visibility === 'share-link' ? { shareKey: this.shareKey } : {};
    const { structure } = await this.call(getSiteStructure, this.site.site, { query });
    const sections: Static<typeof SiteSection>[] = [];
    const groups: string[] = [];
    const links: string[] = [];
    const shown: Static<typeof SiteSpace>[] = [];
    const add = (item: (typeof structure)[number]): void => {
      if (item.object === 'site-space') shown.push(item);
      else if (item.object === 'site-external-link') links.push(item.id);
      else if (item.object === 'site-section-group') {
        groups.push(item.id);
        item.children.forEach(add);
      } else {
        sections.push(item);
        shown.push(...item.siteSpaces);
      }
    };
    structure.forEach(add);
    return { sections, groups, links, shown };
  }

  async pagesOf(spaceId: string): Promise<readonly PageBody[]> {
    return (await this.call(getContent, { spaceId })).pages;
  }

  async newSpace(name: string): Promise<string> {
    const page = (slug: string) => {
      const word = this.word();
      return { title: `Page ${word}`, slug, text: `Text ${word}.` };
    };
    const spaceId = (
      await this.call(createSpace, this.site.site, { body: { title: `${name} ${this.word()}` } })
    ).id;
    await this.change(
      spaceId,
      ['intro', 'api', 'setup'].map((slug) => {
        const { text, ...fields } = page(slug);
        return { operation: 'insert_page', ...fields, document: { markdown: text } };
      }),
    );
    this.spaces.push(spaceId);
    return spaceId;
  }

  async change(spaceId: string, changes: readonly object[], redirects = false): Promise<void> {
    const changeRequestId = (await this.call(createChangeRequest, { spaceId }, { body: {} })).id;
    const at = { spaceId, changeRequestId };
    await this.call(batchContent, at, { body: { changes } });
    await this.call(mergeChangeRequest, at, { body: redirects ? { redirects: true } : {} });
  }

  /** Runs a step. Returns false if the API refuses it. */
  async run(step: Step): Promise<boolean> {
    try {
      await steps[step.kind](this, step);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return false;
      throw error;
    }
  }
}

const nothing = new Problem('not-found', 'The site has nothing to change.');

function pick<T>(from: readonly T[], at: number): T {
  const found = from[at % from.length];
  if (found === undefined) throw nothing;
  return found;
}

type Work = (stepped: SteppedSite, step: Step) => Promise<unknown>;

function allPages(pages: readonly PageBody[]): PageBody[] {
  return pages.flatMap((page) => [page, ...allPages(page.pages ?? [])]);
}

/** Changes a page of a space that the site shows. */
function edit(changeOf: (page: PageBody, all: readonly PageBody[], step: Step) => object): Work {
  return async (stepped, step) => {
    const { shown } = await stepped.look();
    const { id } = pick(shown, step.a).space;
    const pages = allPages(await stepped.pagesOf(id));
    const page = pick(pages, step.b);
    await stepped.change(id, [changeOf(page, pages, step)], step.redirects);
  };
}

const at = ({ site }: SteppedSite) => site.site;

export const steps = {
  addSpace: async (stepped, { a, b, c }) => {
    const { sections } = await stepped.look();
    const spaceId = c % 3 === 0 ? pick(stepped.spaces, c) : await stepped.newSpace(pick(names, a));
    const sectionId = sections.length > 0 && b % 4 > 0 ? pick(sections, b).id : undefined;
    await stepped.call(addSiteSpace, at(stepped), {
      body: { spaceId, title: pick(names, a), ...(sectionId === undefined ? {} : { sectionId }) },
    });
  },
  addSection: async (stepped, { a, b, c, redirects }) => {
    const { groups } = await stepped.look();
    const spaceId = c % 3 === 0 ? pick(stepped.spaces, c) : await stepped.newSpace(pick(names, a));
    const siteSectionGroupId = groups.length > 0 && b % 2 === 0 ? pick(groups, b) : undefined;
    await stepped.call(addSection, at(stepped), {
      body: {
        spaceId,
        title: pick(names, a),
        redirects,
        ...(siteSectionGroupId === undefined ? {} : { siteSectionGroupId }),
      },
    });
  },
  sectionPath: async (stepped, { a, b, redirects }) => {
    const { sections } = await stepped.look();
    const siteSectionId = pick(sections, a).id;
    await stepped.call(
      updateSection,
      { ...at(stepped), siteSectionId },
      { body: { path: pick(names, b), redirects } },
    );
  },
  sectionCondition: async (stepped, { a, b }) => {
    const { sections } = await stepped.look();
    const siteSectionId = pick(sections, a).id;
    await stepped.call(
      updateSection,
      { ...at(stepped), siteSectionId },
      { body: { condition: pick(conditions, b) } },
    );
  },
  sectionDefault: async (stepped, { a, b, redirects }) => {
    const { sections } = await stepped.look();
    const section = pick(sections, a);
    await stepped.call(
      updateSection,
      { ...at(stepped), siteSectionId: section.id },
      { body: { defaultSiteSpace: pick(section.siteSpaces, b).id, redirects } },
    );
  },
  sectionGroup: async (stepped, { a, b }) => {
    const { sections, groups } = await stepped.look();
    await stepped.call(
      updateSection,
      { ...at(stepped), siteSectionId: pick(sections, a).id },
      { body: { siteSectionGroupId: pick([null, ...groups], b) } },
    );
  },
  deleteSection: async (stepped, { a, redirects }) => {
    const { sections } = await stepped.look();
    await stepped.call(
      deleteSection,
      { ...at(stepped), siteSectionId: pick(sections, a).id },
      { query: { redirects } },
    );
  },
  addGroup: async (stepped, { a }) => {
    const { groups, sections } = await stepped.look();
    await stepped.call(addSectionGroup, at(stepped), {
      body: {
        title: `Group ${a}`,
        ...(a % 2 === 0 || groups.length === 0 ? {} : { parent: pick(groups, a) }),
        sections: a % 3 === 0 ? [] : [pick(sections, a).id],
      },
    });
  },
  moveGroup: async (stepped, { a, b }) => {
    const { groups } = await stepped.look();
    await stepped.call(
      updateSectionGroup,
      { ...at(stepped), siteSectionGroupId: pick(groups, a) },
      { body: { parentSectionGroupId: pick([null, ...groups], b) } },
    );
  },
  deleteGroup: async (stepped, { a }) => {
    const { groups } = await stepped.look();
    await stepped.call(deleteSectionGroup, { ...at(stepped), siteSectionGroupId: pick(groups, a) });
  },
  addLink: async (stepped, { a, b }) => {
    const { groups } = await stepped.look();
    const parent = pick([undefined, ...groups], a);
    await stepped.call(addExternalLink, at(stepped), {
      body: {
        title: `Link ${a}`,
        url: 'https://example.com/',
        draft: b % 5 === 0,
        condition: pick(conditions, b),
        ...(parent === undefined ? {} : { parent }),
      },
    });
  },
  deleteLink: async (stepped, { a }) => {
    const { links } = await stepped.look();
    await stepped.call(deleteExternalLink, { ...at(stepped), siteExternalLinkId: pick(links, a) });
  },
  spacePath: async (stepped, { a, b, redirects }) => {
    const { shown } = await stepped.look();
    await stepped.call(
      updateSiteSpace,
      { ...at(stepped), siteSpaceId: pick(shown, a).id },
      { body: { path: pick(names, b), redirects } },
    );
  },
  spaceCondition: async (stepped, { a, b }) => {
    const { shown } = await stepped.look();
    await stepped.call(
      updateSiteSpace,
      { ...at(stepped), siteSpaceId: pick(shown, a).id },
      { body: { condition: pick(conditions, b) } },
    );
  },
  spaceHidden: async (stepped, { a, b }) => {
    const { shown } = await stepped.look();
    await stepped.call(
      updateSiteSpace,
      { ...at(stepped), siteSpaceId: pick(shown, a).id },
      { body: { hidden: b % 2 === 0 } },
    );
  },
  spaceReplace: async (stepped, { a, b }) => {
    const { shown } = await stepped.look();
    await stepped.call(
      updateSiteSpace,
      { ...at(stepped), siteSpaceId: pick(shown, a).id },
      { body: { spaceId: pick(stepped.spaces, b) } },
    );
  },
  removeSpace: async (stepped, { a, redirects }) => {
    const { shown } = await stepped.look();
    const params = { ...at(stepped), siteSpaceId: pick(shown, a).id };
    await stepped.call(deleteSiteSpace, params, { query: { redirects } });
  },
  duplicateSpace: async (stepped, { a }) => {
    const { shown } = await stepped.look();
    const copy = await stepped.call(duplicateSiteSpace, { ...at(stepped), siteSpaceId: pick(shown, a).id });
    stepped.spaces.push(copy.space.id);
  },
  deleteSpace: async (stepped, { a }) => {
    const spaceId = pick(stepped.spaces, a);
    await stepped.call(deleteSpace, { spaceId });
    stepped.spaces.splice(stepped.spaces.indexOf(spaceId), 1);
    stepped.deleted.push(spaceId);
  },
  restoreSpace: async (stepped, { a }) => {
    const spaceId = pick(stepped.deleted, a);
    await stepped.call(restoreSpace, { spaceId });
    stepped.deleted.splice(stepped.deleted.indexOf(spaceId), 1);
    stepped.spaces.push(spaceId);
  },
  customize: async (stepped, { a, b, c }) => {
    const space = pick(stepped.spaces, a);
    const page = pick(allPages(await stepped.pagesOf(space)), b).id;
    const to = c % 3 === 0 ? { kind: 'space', space } : { kind: 'page', space, page };
    await stepped.call(replaceSiteCustomization, at(stepped), {
      body: {
        header: {
          preset: 'default',
          links: [{ title: 'There', to, links: [] }],
          ...(c % 2 === 0 ? { primaryLink: to } : {}),
        },
        footer: { groups: [{ title: 'More', links: [{ title: 'There', to }] }] },
        pdf: { enabled: true },
      },
    });
  },
  language: async (stepped, { a, b }) => {
    const language = pick(['de', 'en', 'fr'] as const, b);
    await stepped.call(updateSpace, { spaceId: pick(stepped.spaces, a) }, { body: { language } });
  },
  siteDefaultSection: async (stepped, { a, redirects }) => {
    const { sections } = await stepped.look();
    await stepped.call(updateSite, at(stepped), {
      body: { defaultSiteSection: pick(sections, a).id, redirects },
    });
  },
  siteDefaultSpace: async (stepped, { a, redirects }) => {
    const { shown } = await stepped.look();
    await stepped.call(updateSite, at(stepped), { body: { defaultSiteSpace: pick(shown, a).id, redirects } });
  },
  visibility: async (stepped, { a }) => {
    const visibility = pick(['public', 'unlisted', 'visitor-auth', 'share-link', 'public'], a);
    await stepped.call(updateSite, at(stepped), { body: { visibility } });
  },
  adaptive: async (stepped, { a }) =>
    stepped.call(updateSite, at(stepped), { body: { adaptiveContent: { enabled: a % 4 > 0 } } }),
  publish: async (stepped, { a }) => stepped.call(a % 3 === 0 ? unpublishSite : publishSite, at(stepped)),
  sort: async (stepped, { a, b, c }) => {
    const { sections, groups, links, shown } = await stepped.look();
    const items = [
      ...sections.map(({ id }) => ({ type: 'site-section', id }) as const),
      ...groups.map((id) => ({ type: 'site-section-group', id }) as const),
      ...links.map((id) => ({ type: 'site-external-link', id }) as const),
      ...shown.map(({ id }) => ({ type: 'site-space', id }) as const),
    ];
    const position = c % 3 === 0 ? {} : { [c % 3 === 1 ? 'before' : 'after']: pick(items, b) };
    await stepped.call(sortSiteStructure, at(stepped), { body: { item: pick(items, a), position } });
  },
  redirect: async (stepped, { a, b, c }) => {
    const { sections, shown } = await stepped.look();
    const source = pick(
      ['/old', '/guide', '/guide/*', '/api/old', '/more/*', '/setup', '/old/*', '/old%2Fpage', '/old%25*'],
      a,
    );
    const siteSpace = pick(shown, b);
    const page = pick(allPages(await stepped.pagesOf(siteSpace.space.id)), c);
    const destination = pick(
      [
        { kind: 'site-space', siteSpaceId: siteSpace.id },
        { kind: 'site-page', siteSpaceId: siteSpace.id, pageId: page.id },
        { kind: 'site-section', siteSectionId: sections[b % sections.length]?.id ?? 'none' },
        { kind: 'external', url: `https://docs.test/sites/acme/docs/${pick(names, b)}` },
        { kind: 'external', url: `https://docs.test/sites/acme/docs/old` },
      ],
      c,
    );
    await stepped.call(createSiteRedirect, at(stepped), {
      body: { source, captureWildcard: source.endsWith('*') && b % 2 === 0, destination },
    });
    stepped.sources.push(source);
  },
  pageInsert: async (stepped, { a, b, c, redirects }) => {
    const { shown } = await stepped.look();
    const { id } = pick(shown, a).space;
    const pages = allPages(await stepped.pagesOf(id));
    const word = stepped.word();
    const type = c % 4 === 0 ? 'group' : 'document';
    const into = type === 'group' ? undefined : pick([undefined, ...pages.map((page) => page.id)], b);
    await stepped.change(
      id,
      [
        {
          operation: 'insert_page',
          type,
          title: `Page ${word}`,
          slug: pick(names, c),
          ...(into === undefined ? {} : { into }),
          ...(c % 3 === 0 ? { at: 0 } : {}),
          document: type === 'group' ? {} : { markdown: `Text ${word}.` },
        },
      ],
      redirects,
    );
  },
  pageLink: async (stepped, { a, b, c }) => {
    const { shown } = await stepped.look();
    const { id } = pick(shown, a).space;
    const other = pick(stepped.spaces, b);
    const target = pick(allPages(await stepped.pagesOf(other)), c).id;
    const word = stepped.word();
    const href = `https://app.gitbook.com/s/${other}/${c % 4 === 0 ? '' : target}`;
    await stepped.change(id, [
      c % 2 === 0
        ? { operation: 'insert_page', type: 'link', title: `Link ${word}`, href, document: {} }
        : {
            operation: 'insert_page',
            title: `Page ${word}`,
            document: { markdown: `Text ${word}.\n\n[There](${href})` },
          },
    ]);
  },
  pageSlug: edit(({ id }, _, { c }) => ({
    operation: 'update_page',
    page: id,
    slug: pick([...names, 'intro'], c),
  })),
  pageMove: edit(({ id }, all, { c }) => ({
    operation: 'update_page',
    page: id,
    into: pick([null, ...all.map((page) => page.id)], c),
    at: c % 2,
  })),
  pageDelete: edit(({ id }) => ({ operation: 'delete_page', page: id })),
  pageHidden: edit(({ id }, _, { c }) => ({ operation: 'update_page', page: id, hidden: c % 2 === 0 })),
  pageNoIndex: edit(({ id }, _, { c }) => ({ operation: 'update_page', page: id, noIndex: c % 2 === 0 })),
  pageCondition: edit(({ id }, _, { c }) => ({
    operation: 'update_page',
    page: id,
    condition: pick(conditions, c) ?? '',
  })),
} as const satisfies Readonly<Record<string, Work>>;

const kinds = Object.keys(steps) as (keyof typeof steps)[];
const number = fc.nat({ max: 59 });

function stepOf(...of: readonly Step['kind'][]): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constantFrom(...of),
    a: number,
    b: number,
    c: number,
    redirects: fc.boolean(),
  });
}

/** Creates random steps. The first ones add something to the site. */
export function anySteps(maxLength: number): fc.Arbitrary<Step[]> {
  const adding = stepOf('addSection', 'addSection', 'addSpace', 'addGroup', 'addLink', 'pageInsert');
  return fc
    .tuple(
      fc.array(adding, { minLength: 2, maxLength: 7 }),
      fc.array(stepOf(...kinds, 'addSection', 'addSpace', 'pageInsert'), { minLength: 2, maxLength }),
    )
    .map((parts) => parts.flat());
}

/** The steps after which old addresses lead to the pages that they moved. */
export const redirecting: ReadonlySet<string> = new Set([
  'addSection',
  'removeSpace',
  'sectionPath',
  'sectionDefault',
  'deleteSection',
  'spacePath',
  'siteDefaultSection',
  'siteDefaultSpace',
  'pageInsert',
  'pageSlug',
  'pageMove',
  'pageDelete',
  'pageHidden',
]);

/** The steps that remove something from a site. */
export const removing = ['deleteSection', 'removeSpace', 'deleteGroup', 'deleteLink', 'deleteSpace'] as const;
