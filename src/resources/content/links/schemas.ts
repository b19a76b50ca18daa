import { closed, Id, oneOf, optional, Type, type Static } from '../../../contract/schema.ts';

const place = {
  title: Type.String(),
  path: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
};

/** A link that a change breaks, with its place, its target and the reason. Not in the official API. */
export const BrokenLink = closed({
  space: closed({ id: Id, title: Type.String() }),
  /** No id if the page is new. */
  source: closed({ kind: oneOf(['page', 'reusable-content']), id: Type.Optional(Id), ...place }),
  line: Type.Integer({ minimum: 1 }),
  href: Type.String(),
  /** Whether the change adds the link, so that it never worked. */
  new: Type.Optional(Type.Literal(true)),
  reason: oneOf([
    'target-deleted',
    'target-moved',
    'anchor-removed',
    'source-moved',
    'target-missing',
    'anchor-missing',
  ]),
  /** The former target of the link, or the page that lacks the anchor. */
  target: Type.Optional(
    closed({
      kind: oneOf(['page', 'file', 'reusable-content', 'space']),
      space: Id,
      id: Type.Optional(Id),
      ...place,
      anchor: Type.Optional(Type.String()),
    }),
  ),
  message: Type.String(),
});
export type BrokenLinkBody = Static<typeof BrokenLink>;

const Count = Type.Integer({ minimum: 0 });

const linkStatuses = ['ok', 'broken', 'in-app'] as const;

/** A target or a source of links. */
export const ContentLocation = closed({
  kind: oneOf(['file', 'url', 'page', 'user', 'collection', 'space', 'reusable-content', 'openapi']),
  ...optional({
    organization: Id,
    space: Id,
    versionContext: closed({
      type: oneOf(['revision', 'changeRequest']),
      revision: Type.Optional(Id),
      changeRequest: Type.Optional(Id),
    }),
    file: Id,
    page: Id,
    anchor: Type.String(),
    url: Type.String(),
    user: Id,
    collection: Id,
    reusableContent: Id,
    spec: Type.String(),
  }),
});

/** The text of a link and its position. Not in the official API. */
const linkSource = optional({
  href: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  source: closed({
    kind: oneOf(['page', 'reusable-content']),
    id: Id,
    title: Type.String(),
    path: Type.Optional(Type.String()),
    file: Type.Optional(Type.String()),
  }),
});

/** A page or reusable content that links to a page or file, with the first of its links. */
export const Backlink = closed({ ...ContentLocation.properties, ...linkSource });

/** The filters of a list of links. `anchors` is not in the official API. */
export const linksQuery = optional({
  status: oneOf(linkStatuses, {
    description: 'only links with this status; in-app: links to addresses that only members can open',
  }),
  anchors: Type.Boolean({
    default: false,
    description:
      'also check anchors: a link is broken if its target does not have the anchor (default: false)',
  }),
});

/**
 * A link with its target and place. `missing`: the page has no such anchor; `reason` and `message`: why the link is broken, or
 * that a link to another space leads nowhere.
 */
export const Link = closed({
  status: oneOf(linkStatuses),
  relation: oneOf(['reference', 'dependsOn']),
  targetReference: Type.Optional(ContentLocation),
  locationReferences: Type.Array(ContentLocation),
  ...linkSource,
  ...optional({
    missing: Type.Literal('anchor'),
    reason: oneOf(['target-missing', 'anchor-missing']),
    message: Type.String(),
  }),
});

/** The number of links, and of broken links. */
export const LinkStats = closed({
  total: Count,
  broken: closed({ total: Count, changeRequest: Type.Optional(Count) }),
});
