import { ReferenceResolver } from '../content/links/reference-resolver.ts';
import { safeAddress } from '../render/addresses.ts';
import type { Target } from '../render/render-context.ts';
import { createTargets, namesInReferences, type OpenSpace } from './page-links.ts';
import type { NavigationContext } from './page-navigation.ts';
import type { SiteView } from './site-view.ts';

/** Reads the targets of the links in the table of contents of a space. Links that lead nowhere on the site are left out. */
export async function readNavigation(view: SiteView, open: OpenSpace): Promise<NavigationContext> {
  const references = new ReferenceResolver(view.contentOf(open.shown));
  const { links: pages, linkTargets } = open.pages;
  const refs = await Promise.all(
    pages.map(async ({ id, entry, path, href = entry?.href ?? '' }) => {
      if (entry === undefined) return { kind: 'url', url: href } as const;
      const known = linkTargets.get(id);
      if (known !== undefined) return known;
      const ref = await references.resolve(references.sourceOf(entry, path), href);
      // The target of a URL does not depend only on the content: another space may have the same content.
      if (!('space' in ref) && ref.kind !== 'url' && !/^https?:/i.test(href)) linkTargets.set(id, ref);
      return ref;
    }),
  );
  const targetOf = createTargets(open, await view.openSpaces(namesInReferences(refs, 'space')));
  const links = new Map<string, Target>();
  for (const [index, { id }] of pages.entries()) {
    const target = targetOf(refs[index]);
    // A link that is only an anchor would have another target on each page.
    const href = target?.href.startsWith('#') === false ? safeAddress(target.href) : undefined;
    if (target !== undefined && href !== undefined) links.set(id, { ...target, href });
  }
  return { base: view.map.base, links };
}
