import { closed, Id, oneOf, optional, Type, Url } from '../../contract/schema.ts';

/** The path of a redirect. */
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
/** The destination of a redirect: a section, a space or a page of the site, or a URL. */
export const RedirectDestination = Type.Union([Section, Space, Page, External]);

/** The variants of `RedirectDestination`. */
export const destinations = [Section, Space, Page, External] as const;

/** A change of the redirects of a site that keeps the old addresses of moved content working. */
export const MovedRedirect = closed({
  object: Type.Literal('moved-redirect'),
  site: closed({ id: Id, title: Type.String() }),
  action: oneOf(['create', 'replace', 'delete']),
  source: Source,
  captureWildcard: Type.Boolean(),
  destination: RedirectDestination,
  ...optional({
    target: Type.String(),
    space: Id,
    pagePath: Type.String(),
  }),
  done: Type.Boolean(),
  id: Type.Optional(Id),
});

/** A redirect whose destination a change removes. */
export const BrokenRedirect = closed({
  object: Type.Literal('broken-redirect'),
  site: closed({ id: Id, title: Type.String() }),
  id: Id,
  source: Source,
  draft: Type.Boolean(),
  destination: RedirectDestination,
  /** A sentence that says what happens to the destination. */
  message: Type.String(),
});

/** The redirects for moved content in a response; absent if no published site shows it. */
export const movedRedirects = { redirects: Type.Optional(Type.Array(MovedRedirect)) };

/** A request field that creates the redirects for moved content. */
export const makeRedirectsField = {
  redirects: Type.Optional(
    Type.Boolean({
      description:
        'on each published site with moved pages, redirect old addresses to the new ones; requires the admin role on these sites',
    }),
  ),
};
