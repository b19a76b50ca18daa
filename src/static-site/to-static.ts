import { escapeHtml, unescapeHtml } from '../contract/escape-html.ts';
import { relativeAddress, type StaticPaths } from './static-paths.ts';

/** The place of an HTML file of a copy, and the addresses in it. */
interface HtmlPlace {
  readonly paths: StaticPaths;
  /** The address of the page below the root of the site; undefined for a page that may be shown at any address. */
  readonly address: string | undefined;
  /** The search script, below the root of the site. */
  readonly finder: string;
  /** The origin of the host; '' if unknown. */
  readonly origin: string;
}

/** An HTML file, with the paths of the site that it loads or links to. */
interface StaticHtml {
  readonly html: string;
  /** In the form of the site, before they are rewritten. */
  readonly uses: ReadonlySet<string>;
}

const links = /(\s(?:href|src|action|data-more|data-search|data-copy-page|data-diagrams)=")([^"]*)"/g;

/** Static copies have no PDFs, which a server creates. */
const pdfLink = /<li><a href="[^"]*\/~gitbook\/pdf\?[^"]*">.*?<\/a><\/li>/gs;
/** Static copies have no scripts of integrations, which a server requests. */
const scripts =
  /<script src="[^"]*\/~gitbook\/scripts\/[^"]*" defer><\/script>|<div class="consent".*?<\/div>/gs;
/** Static copies accept no feedback. */
const feedbackForm = /<form class="feedback".*?<\/form>/gs;
/** Static copies have no MCP server, and links to other services may not reach their pages. */
const serverActions =
  /<li><a [^>]* data-assistant[ >].*?<\/a><\/li>|<li><button type="button" data-copy-text=.*?<\/button><\/li>/gs;
/** The addresses of broken links are only for members. */
const brokenAddress = / data-address="[^"]*"/g;
/** Feed readers need absolute addresses. */
const feedLink = /<link rel="alternate" type="application\/rss\+xml" href="[^"]*">/g;

/** Makes the links of a page relative, so that it works in any folder. */
export function toStaticHtml(html: string, { paths, address, finder, origin }: HtmlPlace): StaticHtml {
  const uses = new Set<string>();
  const linkTo = (target: string): string =>
    address === undefined ? paths.base + target : relativeAddress(address, target);
  const whole = origin + paths.base;
  const rewritten = (origin === '' ? html.replace(feedLink, '') : html)
    .replace(pdfLink, '')
    .replace(feedbackForm, '')
    .replace(serverActions, '')
    .replace(scripts, '')
    .replace(brokenAddress, '')
    .replace(links, (all, start: string, escaped: string) => {
      const link = unescapeHtml(escaped);
      const isAbsolute = origin !== '' && link.startsWith(whole);
      const target = paths.addressOf(isAbsolute ? link.slice(origin.length) : link);
      if (target === undefined) return all;
      uses.add((isAbsolute ? link.slice(origin.length) : link).slice(paths.base.length).replace(/#.*$/s, ''));
      const found = escapeHtml(isAbsolute ? whole + target : linkTo(target));
      // The script of the copy searches instead of the server.
      const search = start.includes('data-search') ? ` data-finder="${escapeHtml(linkTo(finder))}"` : '';
      return `${start}${found}"${search}`;
    })
    .replace(/<meta property="og:image" content="([^"]*)">/, (all, escaped: string) => {
      const link = unescapeHtml(escaped).slice(origin.length);
      const target = escaped.startsWith(`${origin}/`) ? paths.addressOf(link) : undefined;
      if (target === undefined) return all;
      uses.add(link.slice(paths.base.length));
      // Other services need an absolute address.
      return origin === '' ? '' : `<meta property="og:image" content="${whole}${escapeHtml(target)}">`;
    })
    .replace(/<meta property="og:url" content="([^"]*)">/, (_, link: string) =>
      origin === ''
        ? ''
        : `<meta property="og:url" content="${whole}${escapeHtml(paths.addressOf(unescapeHtml(link).slice(origin.length)) ?? '')}">`,
    );
  return { html: rewritten, uses };
}

/** Converts child entries of the table of contents to a script. Its links start with "~root/". */
export function toBranchScript(html: string, paths: StaticPaths): string {
  const rewritten = html.replace(links, (all, start: string, escaped: string) => {
    const target = paths.addressOf(unescapeHtml(escaped));
    return target === undefined ? all : `${start}~root/${escapeHtml(target)}"`;
  });
  return toDataScript(rewritten);
}

/** Returns data as a script, which pages can load both from servers and from disks. */
export function toDataScript(value: unknown): string {
  return `docsctlData(${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')})\n`;
}

/** Returns the HTML of a page that redirects to another address. */
export function redirectPage(target: string, title: string): string {
  const href = escapeHtml(target);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=${href}"><link rel="canonical" href="${href}"></head><body><p><a href="${href}">${href}</a></p></body></html>\n`;
}

/** Rewrites the addresses of pages in sitemaps, feeds, robots.txt, and the lists for agents. */
export function toStaticText(text: string, paths: StaticPaths, origin: string): string {
  if (origin === '')
    return text
      .replace(/^Sitemap: .*\n?/gm, '')
      .replaceAll(`](${paths.base}`, '](')
      .trimEnd()
      .concat('\n');
  return text.replace(
    /(<loc>|<link>|href="|href=&quot;)(.*?)(?=<\/(?:loc|link)>|"|&quot;)/g,
    (all, start: string, escaped: string) => {
      // The HTML in feeds is escaped once more.
      const times = start.endsWith('&quot;') ? 2 : 1;
      const link = repeat(unescapeHtml, times, escaped);
      const target = link.startsWith(origin + paths.base)
        ? paths.addressOf(link.slice(origin.length))
        : undefined;
      return target === undefined ? all : start + repeat(escapeHtml, times, origin + paths.base + target);
    },
  );
}

function repeat(change: (text: string) => string, times: number, text: string): string {
  return times === 0 ? text : repeat(change, times - 1, change(text));
}
