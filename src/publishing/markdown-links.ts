import { ReferenceResolver, type ReferenceSource } from '../content/links/reference-resolver.ts';
import { linkHrefs, rewriteLinks } from '../richtext/rewrite-links.ts';
import { unlink } from '../richtext/unlink.ts';
import { createTargets, hrefOf, namesInReferences, type OpenSpace } from './page-links.ts';
import type { SiteView } from './site-view.ts';
import type { SitePage } from './space-pages.ts';

/** Makes the links in the Markdown of pages of one space absolute, for use outside of the site. */
export class MarkdownLinks {
  readonly #view: SiteView;
  readonly #open: OpenSpace;
  readonly #references: ReferenceResolver;

  constructor(view: SiteView, open: OpenSpace) {
    this.#view = view;
    this.#open = open;
    this.#references = new ReferenceResolver(view.contentOf(open.shown));
  }

  /** Replaces the links in the text of a page. If a link leads nowhere on the site, only its text remains, as in the HTML. */
  async absolute(markdown: string, page: SitePage): Promise<string> {
    const { origin } = this.#view;
    const own = origin + hrefOf(this.#open, page);
    const source: ReferenceSource =
      page.entry === undefined
        ? { target: `page:${page.id}`, path: page.path }
        : this.#references.sourceOf(page.entry, page.path);
    const found = new Map<string, string>();
    const broken = new Set<string>();
    for (const href of linkHrefs(markdown)) {
      const address = href.replace(/\\([!-/:-@[-`{-~])/g, '$1');
      const ref = await this.#references.resolve(source, address);
      const others = await this.#view.openSpaces(namesInReferences(ref, 'space'));
      const target = createTargets(this.#open, others)(ref);
      if (target === undefined) broken.add(href);
      else if (target.kind !== 'external')
        found.set(href, target.href.startsWith('#') ? own + target.href : origin + target.href);
    }
    const text = broken.size === 0 ? markdown : unlink(markdown, (href) => broken.has(href));
    return found.size === 0 ? text : rewriteLinks(text, (href) => found.get(href));
  }
}
