import { closed, Id, oneOf, Type, Url } from '../../contract/schema.ts';

/** The path that a redirect is for. */
export const Source = Type.String({
  maxLength: 512,
  pattern:
    '^\\/(?!\\*)(?!.*\\*.+)(?:[A-Za-z0-9\\-._~+]|%[0-9A-Fa-f]{2})+(?:\\/(?:[A-Za-z0-9\\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\\/\\*|\\*)?$',
  description:
    'path on the site, such as /old/page; a star at the end stands for the rest of the path, as in /old/*',
});
const Section = closed({ kind: Type.Literal('site-section'), siteSectionId: Id });
const Space = closed({ kind: Type.Literal('site-space'), siteSpaceId: Id });
const Page = closed({ kind: Type.Literal('site-page'), siteSpaceId: Id, pageId: Id });
const External = closed({ kind: Type.Literal('external'), url: Url });
/** Where a redirect leads: a section, a space or a page of the site, or a URL. */
export const RedirectDestination = Type.Union([Section, Space, Page, External]);

/** The parts of `RedirectDestination`. */
export const destinations = [Section, Space, Page, External] as const;

/** A change of the redirects of a site that keeps the addresses of what moved working. */
export const MovedRedirect = closed({
  object: Type.Literal('moved-redirect'),
  site: closed({ id: Id, title: Type.String() }),
  action: oneOf(['create', 'replace', 'delete']),
  source: Source,
  captureWildcard: Type.Boolean(),
  destination: RedirectDestination,
  target: Type.Optional(Type.String()),
  space: Type.Optional(Id),
  pagePath: Type.Optional(Type.String()),
  done: Type.Boolean(),
  id: Type.Optional(Id),
});

/** A redirect whose destination goes away with a change. */
export const BrokenRedirect = closed({
  object: Type.Literal('broken-redirect'),
  site: closed({ id: Id, title: Type.String() }),
  id: Id,
  source: Source,
  draft: Type.Boolean(),
  destination: RedirectDestination,
  /** What becomes of the destination, in a sentence. */
  message: Type.String(),
});

/** What answers say about the redirects of what a change moves; absent where no published site shows it. */
export const movedRedirects = { redirects: Type.Optional(Type.Array(MovedRedirect)) };

/** A field that asks for the redirects of what a change moves. */
export const makeRedirectsField = {
  redirects: Type.Optional(
    Type.Boolean({
      description:
        'on each published site that this changes, redirect old addresses to the new ones; requires the admin role on the site',
    }),
  ),
};
