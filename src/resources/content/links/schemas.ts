import { closed, Id, oneOf, Type, type Static } from '../../../contract/schema.ts';

const place = {
  title: Type.String(),
  path: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
};

/** A link that a change breaks, with its place, its target and the reason. Not in the official API. */
export const BrokenLink = closed({
  space: closed({ id: Id, title: Type.String() }),
  /** Without an id where the page is new. */
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
  /** Where the link led, or the page that lacks the anchor. */
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
