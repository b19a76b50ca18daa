import { spaceAddress } from '../contract/open-address.ts';
import { posix } from 'node:path';
import { linkHrefs, rewriteLinks, rewriteOutsideCode } from '../richtext/rewrite-links.ts';
import type { ContentReference } from './links/content-reference.ts';
import type { ReferenceResolver, ReferenceSource } from './links/reference-resolver.ts';

/**
 * How to write links: `relative` to their page, `stable` with IDs that never change, or `elsewhere` as absolute addresses for a
 * text in another space.
 */
type ReferenceFormat = 'relative' | 'stable' | 'elsewhere';

/** Rewrites the links of a page in one format. Links without a target or to other organizations do not change. */
export async function rewriteReferences(
  markdown: string,
  references: ReferenceResolver,
  source: ReferenceSource,
  format: ReferenceFormat,
): Promise<string> {
  const addresses = new Map<string, string>();
  for (const href of linkHrefs(markdown)) {
    if (href.startsWith('#')) continue;
    const ref = await references.resolve(source, href);
    const address =
      format === 'relative'
        ? await relativeAddress(ref, href, references, source)
        : stableAddress(format === 'elsewhere' ? withSpace(ref, references.spaceId) : ref);
    if (address !== undefined) addresses.set(href, address);
  }
  return addresses.size === 0 ? markdown : rewriteLinks(markdown, (href) => addresses.get(href));
}

function withSpace(ref: ContentReference, space: string): ContentReference {
  return ref.kind === 'page' || ref.kind === 'anchor' || ref.kind === 'file' ? { space, ...ref } : ref;
}

function stableAddress(ref: ContentReference): string | undefined {
  switch (ref.kind) {
    case 'page':
      return ref.space === undefined ? `/pages/${ref.page}` : spaceAddress(ref.space, ref.page);
    case 'anchor': {
      const { page, space, anchor } = ref;
      if (page === undefined) return undefined;
      return `${space === undefined ? `/pages/${page}` : spaceAddress(space, page)}#${anchor}`;
    }
    case 'file':
      return ref.space === undefined ? `/files/${ref.file}` : spaceAddress(ref.space, `~/files/${ref.file}`);
    case 'space':
      return spaceAddress(ref.space, '');
    default:
      return undefined;
  }
}

/** Only links by ID become relative. Others already are. */
async function relativeAddress(
  ref: ContentReference,
  href: string,
  references: ReferenceResolver,
  source: ReferenceSource,
): Promise<string | undefined> {
  if (!/^\/(?:pages|files)\//.test(href)) return undefined;
  const id = ref.kind === 'file' ? ref.file : 'page' in ref ? ref.page : undefined;
  if (id === undefined) return undefined;
  const target = await references.fileOf(id);
  if (target === undefined) return undefined;
  const path = posix.relative(posix.dirname(source.git ?? source.path ?? ''), target);
  const anchor = ref.kind === 'anchor' ? `#${ref.anchor}` : '';
  const escape = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
  return encodeURI(path).replace(/[()#?]/g, escape) + anchor;
}

/** Sets the texts of mentions and content references to the title of their target. */
export async function labelReferences(
  markdown: string,
  references: ReferenceResolver,
  source: ReferenceSource,
): Promise<string> {
  const titles = new Map<string, string>();
  for (const href of linkHrefs(markdown)) {
    const title = await references.titleOf(await references.resolve(source, href));
    if (title !== undefined) titles.set(href, title.replace(/[\\[\]]/g, '\\$&'));
  }
  if (titles.size === 0) return markdown;
  return rewriteOutsideCode(markdown, (text) =>
    text
      .replace(
        /\[(?:[^[\]\\\n]|\\.){0,500}\]\((?:<([^<>\n]{1,1024})>|([^\s()<>]{1,1024})) "mention"\)/g,
        (whole, inAngles: string | undefined, bare = '') => {
          const title = titles.get(inAngles ?? String(bare));
          return title === undefined
            ? whole
            : whole.replace(/^\[(?:[^[\]\\\n]|\\.){0,500}\]/, () => `[${title}]`);
        },
      )
      .replace(
        /(\{% content-ref url="([^"\n]{1,1024})" %\}\r?\n)[^\n]{0,2000}(\r?\n\{% endcontent-ref %\})/g,
        (whole, open: string, href: string, close: string) => {
          const title = titles.get(href);
          return title === undefined
            ? whole
            : `${open}[${title}](${/[\s()]/.test(href) ? `<${href}>` : href})${close}`;
        },
      ),
  );
}
