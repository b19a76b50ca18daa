import { Type, type Static } from '../../contract/schema.ts';
import {
  createSite,
  deleteSite,
  listSites,
  publishSite,
  unpublishSite,
  updateSite,
  type Site,
  getSite,
} from '../../resources/sites/contract.ts';
import { kind } from '../kind.ts';
import { accessCall, accessField } from './access.ts';
import { adaptiveCall, adaptiveField } from './adaptive.ts';
import { externalLinksCall, externalLinksField } from './external-links.ts';
import { siteCustomizationCall, siteCustomizationField } from './customization.ts';
import { publishingAuthCall, publishingAuthField } from './publishing-auth.ts';
import { places, redirectsCall, redirectsField } from './redirects.ts';
import { readStructure } from './structure.ts';
import { callFor, create, listAll, remove, update } from './fields.ts';

const body = updateSite.body.properties;

/** A documentation site. Its visibility is set last, after everything inside it. */
export const site = kind<Static<typeof Site>>({
  name: 'site',
  description:
    'A documentation site. Apply sets the visibility of the site, and publishes it, after everything inside the site is set.',
  example: `
spaces:
  guide: { title: Guide }
sites:
  docs:
    title: Acme Docs
    basename: docs
    visibility: unlisted
    published: true
    adaptive:
      enabled: true
      jsonSchema:
        type: object
        properties:
          plan: { type: string, description: The plan of the customer, enum: [free, pro] }
        additionalProperties: false
    customization:
      styling: { theme: bold }
      footer: { copyright: Acme Ltd. }
    externalLinks:
      - { title: Status, url: "https://status.example.com", after: guide }
    redirects:
      - { source: /old, space: !ref space.guide }
      - { source: /blog/*, url: "https://blog.example.com", captureWildcard: true }
    sections:
      - { path: guide, title: Guide, space: !ref space.guide }
`,
  slots: [{ field: 'sites', as: 'map' }],
  keys: [['basename'], ['title']],
  fields: {
    title: { schema: body.title, create: 'also', default: 'Untitled site' },
    type: { schema: createSite.body.properties.type, create: 'only', default: 'basic' },
    basename: {
      schema: {
        ...body.basename,
        description: body.basename.description?.replace(',', ' (by default made from the title),') ?? '',
      },
      unique: true,
    },
    agentsContext: { schema: body.agentsContext, default: 'included' },
    proxy: { schema: body.proxy, default: null, read: ({ proxy }) => proxy?.origin ?? null },
    access: accessField(),
    adaptive: adaptiveField,
    publishingAuth: publishingAuthField,
    customization: siteCustomizationField(),
    externalLinks: externalLinksField(),
    redirects: redirectsField(),
    visibility: { schema: body.visibility, default: 'public', call: 'visibility' },
    published: {
      schema: Type.Boolean({ description: 'whether visitors can open the site' }),
      default: false,
      call: 'publish',
    },
  },
  check: (stated, fault) => {
    if (hasSome(stated.get('sections')) && hasSome(stated.get('siteSpaces')))
      fault(
        'siteSpaces',
        'a site cannot have both "sections" and "siteSpaces"; move the site spaces into a section',
      );
    if (hasSome(stated.get('externalLinks')) && hasSome(stated.get('siteSpaces')))
      fault(
        'externalLinks',
        'a site without sections cannot have external links; put the site spaces into a section',
      );
  },
  list: listAll(listSites),
  create: create(createSite),
  calls: {
    update: update(updateSite, getSite),
    access: accessCall,
    adaptive: adaptiveCall,
    publishingAuth: publishingAuthCall,
    customization: siteCustomizationCall,
    externalLinks: externalLinksCall,
    redirects: redirectsCall,
    visibility: { late: isWider, ...update(updateSite, getSite) },
    publish: {
      late: ({ before, after }) => before === undefined || after === true,
      send: (backend, at, { published }) =>
        callFor(backend, published === true ? publishSite : unpublishSite, at),
    },
  },
  showsSpaces: async (backend, at) =>
    places(await readStructure(backend, at)).map(({ siteSpace }) => siteSpace.space.id),
  remove: remove(deleteSite),
});

const visibilities: readonly unknown[] = ['visitor-auth', 'share-link', 'unlisted', 'public'];

/**
 * Whether a visibility is not known to let fewer people read the site. Otherwise, it is set before anything is added to the site
 * that the other people must not read.
 */
function isWider({ before, after }: { before?: unknown; after?: unknown }): boolean {
  return before === undefined || visibilities.indexOf(after) > visibilities.indexOf(before);
}

function hasSome(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
