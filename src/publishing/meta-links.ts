import { ReferenceResolver } from '../content/links/reference-resolver.ts';
import { settingsOf } from '../content/page-settings.ts';
import { parseUrl } from '../contract/parse-url.ts';
import { safeAddress } from '../render/addresses.ts';
import { createTargets, hrefOf, namesInReferences, type OpenSpace } from './page-links.ts';
import type { SiteView } from './site-view.ts';
import type { SitePage } from './space-pages.ts';

/** Another version of a page. */
export interface AlternatePage {
  readonly href: string;
  /** The space of a page of the site. */
  readonly space?: string;
  readonly language?: string | undefined;
}

/** The destinations of the `metaLinks` of a page, without those that the visitor cannot open. */
interface MetaLinkAddresses {
  readonly canonical?: string | undefined;
  readonly alternates: readonly AlternatePage[];
}

/** Returns a header with the URL under which search engines should list a page. Sites without an address have no URLs. */
export async function canonicalHeader(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
): Promise<{ readonly link?: string }> {
  const { canonical = hrefOf(open, page) } = await readMetaLinks(view, open, page);
  const url = parseUrl(canonical.startsWith('/') ? view.origin + canonical : canonical);
  return url === undefined ? {} : { link: `<${url.href}>; rel="canonical"` };
}

/** Returns the destinations of the `metaLinks` of a page: paths on the site, and URLs elsewhere. */
export async function readMetaLinks(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
): Promise<MetaLinkAddresses> {
  const { canonical, alternates = [] } =
    page.entry === undefined ? {} : ((await settingsOf(page.entry)).metaLinks ?? {});
  if (page.entry === undefined || (canonical === undefined && alternates.length === 0))
    return { alternates: [] };
  const references = new ReferenceResolver(view.contentOf(open.shown));
  const source = references.sourceOf(page.entry, page.path);
  const refs = await Promise.all(
    [canonical ?? '', ...alternates].map((address) => references.resolve(source, address)),
  );
  const targetOf = createTargets(open, await view.openSpaces(namesInReferences(refs, 'space')));
  const found = refs.map((ref): AlternatePage | undefined => {
    const target = targetOf(ref);
    if (target === undefined || target.kind === 'anchor') return undefined;
    const href = safeAddress(target.href);
    if (href === undefined) return undefined;
    if (ref.kind !== 'page') return { href };
    const space = ref.space ?? open.shown.space.id;
    const language = view.map.spaces.find((shown) => shown.space.id === space)?.space.language;
    return { href, space, language };
  });
  return {
    canonical: found[0]?.href,
    alternates: found.slice(1).filter((each) => each !== undefined),
  };
}
