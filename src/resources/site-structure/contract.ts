import { closed, Id, oneOf, Type, Url } from '../../contract/schema.ts';
import { SiteExternalLink } from '../site-external-links/contract.ts';
import { SiteSectionGroup } from '../site-section-groups/contract.ts';
import { SiteSection } from '../site-sections/contract.ts';
import { SiteSpace } from '../site-spaces/contract.ts';

/** The structure of a site, in order: sections and groups, or the spaces of a site that has no sections. */
export const SiteStructure = Type.Union([
  closed({
    type: Type.Literal('sections'),
    structure: Type.Array(Type.Union([SiteSection, SiteSectionGroup, SiteExternalLink])),
  }),
  closed({ type: Type.Literal('siteSpaces'), structure: Type.Array(SiteSpace) }),
]);

/** An item of a structure, as returned by an operation that sorts it. */
export const SiteStructureItem = Type.Union([SiteSpace, SiteSection, SiteSectionGroup, SiteExternalLink]);

/** Identifies an item of a structure. */
export const StructurePointer = closed({
  type: oneOf(['site-space', 'site-section', 'site-section-group', 'site-external-link']),
  id: Id,
});

/** A script that an integration adds to a published site. */
export const SiteScript = closed({
  script: Url,
  contentSecurityPolicy: Type.Optional(Type.String()),
  cookies: Type.Boolean(),
});
