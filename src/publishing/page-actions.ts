import type { PageAddresses } from '../render/render-page.ts';
import { namesFile } from '../content/tree.ts';
import { withWebAddress } from '../resources/git-sync/shape.ts';
import { encodePath } from '../resources/site-structure/paths.ts';
import { hrefOf, type OpenSpace } from './page-links.ts';
import type { SiteView } from './site-view.ts';
import type { SitePage } from './space-pages.ts';

/** Services that answer questions about a page, and the URLs that take a question. */
const services = [
  ['ChatGPT', 'https://chatgpt.com/?hints=search&q='],
  ['Claude', 'https://claude.ai/new?q='],
] as const;

/** Returns the addresses of the actions in the menu of a page, according to the customization of the site. */
export function actionsOf(
  view: SiteView,
  open: OpenSpace,
  page: SitePage,
): Pick<PageAddresses, 'edit' | 'mcp' | 'assistants' | 'showsMarkdown'> {
  const { pageActions, git } = view.customizationOf(open.shown);
  const { site, base } = view.map;
  // Services cannot read a page that is not public.
  const isOpen = site.agentsContext === 'included' && /^(?:public|unlisted)$/.test(site.visibility);
  const question = `Read ${view.origin}${hrefOf(open, page)} and answer my questions about it.`;
  return {
    showsMarkdown: pageActions.markdown,
    mcp:
      pageActions.mcp && site.agentsContext === 'included' ? `${view.origin}${base}~gitbook/mcp` : undefined,
    assistants:
      pageActions.externalAI && isOpen
        ? services.map(([title, address]) => ({ title, href: address + encodeURIComponent(question) }))
        : [],
    edit: git.showEditLink ? editAddress(open, page) : undefined,
  };
}

/** Returns the address at which a page is edited in its repository; undefined if it has no repository with a web address. */
function editAddress({ shown: { space } }: OpenSpace, { entry }: SitePage): PageAddresses['edit'] {
  const path = entry?.git?.path;
  if (space.gitSync === undefined || path === undefined || !namesFile(path)) return undefined;
  const { url, installationProvider = '' } = withWebAddress(space.gitSync);
  if (url === undefined) return undefined;
  const names = [
    ['github', 'GitHub'],
    ['gitlab', 'GitLab'],
  ] as const;
  const host = new URL(url).hostname;
  const known = names.find(([word]) => installationProvider.startsWith(word) || host.includes(word));
  const folder = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  // On GitHub and GitLab, the editor of a file has the same address as its folder, with "edit".
  const place = known === undefined ? folder : folder.replace(/\/(?:tree|blob)\//, '/edit/');
  return { href: `${place}/${encodePath(path)}`, title: known?.[1] ?? 'Git' };
}
