import { rmSync } from 'node:fs';
import type { Static } from '../../src/contract/schema.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';
import { listSitePaths, readSitePaths } from '../../src/resources/site-paths/contract.ts';
import type { SiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { getPublishedSite, getSite } from '../../src/resources/sites/contract.ts';
import { getSpace } from '../../src/resources/spaces/contract.ts';
import { segmentOf } from '../../src/resources/site-structure/paths.ts';
import { checkSite } from '../../src/static-site/check-site.ts';
import { readPageFacts } from '../../src/static-site/page-facts.ts';
import { buildFolder, listFiles } from '../static-site/built-site.ts';
import type { Look, SteppedSite } from './site-steps.ts';

type Shown = Static<typeof SiteSpace>;

/** Somebody who reads the site. */
export interface Visitor {
  readonly claims: { readonly plan?: string; readonly unsigned?: { readonly beta?: boolean } };
  readonly headers: Readonly<Record<string, string>>;
}

/** A page that a visitor can open, at one place of the site. */
interface Expected {
  readonly word: string;
  readonly id: string;
  readonly address: string;
  readonly path: string;
  readonly shown: Shown;
  readonly isListed: boolean;
  readonly isIndexed: boolean;
  readonly isFirst: boolean;
}

const origin = 'https://docs.test';
const addressOfSite = `${origin}/sites/acme/docs`;
const wordsIn = (text: string): string[] => text.match(/zq\d+x/g) ?? [];

/** What one visitor should see, worked out from the answers of the API. */
class Expectation {
  readonly pages: Expected[] = [];
  readonly visible: Shown[] = [];
  readonly words = new Set<string>();
  readonly groups: string[] = [];
  readonly sections: Look['sections'][number][] = [];
  readonly #holds: (condition: string | undefined) => boolean;

  constructor(visitor: Visitor, isAdaptive: boolean, visibility: string) {
    const signed = visibility === 'visitor-auth' || (isAdaptive && visibility !== 'share-link');
    const plan = signed ? visitor.claims.plan : undefined;
    const beta = isAdaptive ? visitor.claims.unsigned?.beta : undefined;
    this.#holds = (condition) =>
      condition === undefined ||
      condition === '' ||
      (condition.includes('plan') ? plan === 'pro' : beta === true);
  }

  async read(
    stepped: SteppedSite,
    { sections, shown }: Look,
    contents: Map<string, readonly PageBody[]>,
  ): Promise<this> {
    const openSections = new Set(sections.filter((one) => this.#holds(one.condition)).map(({ id }) => id));
    for (const one of shown) {
      if (!this.#holds(one.condition)) continue;
      if (one.section !== undefined && !openSections.has(one.section)) continue;
      this.visible.push(one);
    }
    this.sections.push(...sections.filter(({ id }) => this.visible.some(({ section }) => section === id)));
    for (const one of this.visible) {
      const pages = contents.get(one.space.id) ?? (await stepped.pagesOf(one.space.id));
      contents.set(one.space.id, pages);
      this.#addPages(one, pages);
      // A space in which the visitor finds no page is not named.
      if (this.hasStart(one)) for (const word of wordsIn(one.space.title)) this.words.add(word);
    }
    return this;
  }

  #addPages(shown: Shown, roots: readonly PageBody[]): void {
    const base = shown.urls.published ?? '';
    const seen = (pages: readonly PageBody[]): PageBody[] =>
      pages.flatMap((page) =>
        this.#holds(page.condition) ? [{ ...page, pages: seen(page.pages ?? []) }] : [],
      );
    const visible = seen(roots);
    const firstIn = (pages: readonly PageBody[]): PageBody | undefined => {
      for (const page of pages) {
        if (page.hidden === true) continue;
        const found = page.type === 'document' ? page : firstIn(page.pages ?? []);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    const first = firstIn(visible);
    const add = (pages: readonly PageBody[], isBelowHidden: boolean): void => {
      for (const page of pages) {
        for (const word of wordsIn(page.title)) this.words.add(word);
        const isHidden = isBelowHidden || page.hidden === true;
        if (page.type === 'group') this.groups.push(base + (page.path ?? ''));
        if (page.type === 'document') {
          const isFirst = page.id === first?.id;
          this.pages.push({
            id: page.id,
            word: wordsIn(page.title)[0] ?? '',
            shown,
            path: page.path ?? '',
            address: isFirst ? base : base + (page.path ?? '').split('/').map(segmentOf).join('/'),
            isListed: !isHidden,
            isIndexed: page.noIndex !== true,
            isFirst,
          });
        }
        add(page.pages ?? [], isHidden);
      }
    };
    add(visible, false);
  }

  /** Whether the visitor finds a page at the address of a site space. */
  hasStart(shown: Shown): boolean {
    return this.pages.some((page) => page.isFirst && page.shown === shown);
  }

  /** Whether another space of the visitor has the address of a page. */
  isCovered({ shown, address, isFirst }: Expected): boolean {
    const own = shown.urls.published ?? '';
    const path = `${address.replace(/\/$/, '')}/`;
    return (
      !isFirst &&
      [...this.visible, ...this.sections].some(
        ({ urls: { published = '' } }) => published.length > own.length && path.startsWith(published),
      )
    );
  }
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly address: string;
  readonly hops: readonly string[];
}

/** Reads a site as a visitor. */
class Reader {
  readonly #stepped: SteppedSite;
  readonly #visitor: Visitor;
  readonly faults: string[];
  readonly texts = new Map<string, string>();

  constructor(stepped: SteppedSite, visitor: Visitor, faults: string[]) {
    this.#stepped = stepped;
    this.#visitor = visitor;
    this.faults = faults;
  }

  fault(text: string): void {
    this.faults.push(`${JSON.stringify(this.#visitor.claims)}: ${text}`);
  }

  async get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const hops: string[] = [];
    for (let at = address; ;) {
      hops.push(at);
      const answer = await this.#stepped.site.server.inject({
        url: at.replace(origin, ''),
        headers: { host: 'docs.test', accept: 'text/html', ...this.#visitor.headers, ...headers },
      });
      if (answer.statusCode >= 500) this.fault(`${at} answers ${answer.statusCode}`);
      const location = answer.headers['location'];
      if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') {
        this.texts.set(`${at} ${headers['accept'] ?? ''}`, answer.body);
        return { status: answer.statusCode, body: answer.body, address: at, hops };
      }
      const next = new URL(location, at).href;
      if (hops.includes(next)) {
        this.fault(`a loop: ${[...hops, next].join(' → ')}`);
        return { status: 310, body: '', address: at, hops };
      }
      if (!next.startsWith(addressOfSite)) return { status: 200, body: '', address: next, hops };
      at = next;
    }
  }
}

/** Checks a site from the view of a visitor. Returns what is wrong. */
async function checkVisitor(
  stepped: SteppedSite,
  visitor: Visitor,
  given: {
    readonly look: Look;
    readonly root: string;
    readonly isAdaptive: boolean;
    readonly visibility: string;
    readonly shareKey: string;
    readonly contents: Map<string, readonly PageBody[]>;
  },
): Promise<string[]> {
  const { look, root, isAdaptive, visibility, contents } = given;
  const faults: string[] = [];
  const reader = new Reader(stepped, visitor, faults);
  const expected = await new Expectation(visitor, isAdaptive, visibility).read(stepped, look, contents);
  const open = expected.pages.filter((page) => !expected.isCovered(page));

  for (const page of open) {
    const { status, body, hops } = await reader.get(page.address);
    if (status !== 200 || hops.length > 1)
      reader.fault(`the page ${page.word} at ${hops.join(' → ')} answers ${status}`);
    else if (!body.includes(`Text ${page.word}.`)) reader.fault(`${page.address} does not show ${page.word}`);
  }
  // Site spaces and sections lead to something of their own.
  for (const shown of look.shown) {
    const { published = '' } = shown.urls;
    const isVisible = expected.visible.includes(shown);
    const { status, body, hops } = await reader.get(published);
    const own = expected.pages.filter((page) => page.shown === shown);
    const hasStart = isVisible && expected.hasStart(shown);
    if (hasStart && status !== 200) reader.fault(`the space at ${hops.join(' → ')} answers ${status}`);
    if (hasStart && status === 200 && !own.some(({ word }) => body.includes(`Text ${word}.`)))
      reader.fault(`the space at ${hops.join(' → ')} shows another one`);
  }
  for (const section of look.sections) {
    const { published = '' } = section.urls;
    const own = open.filter(({ shown }) => shown.section === section.id);
    const { status, body, hops } = await reader.get(published);
    if (
      own.some(({ isFirst }) => isFirst) &&
      (status !== 200 || !own.some(({ word }) => body.includes(`Text ${word}.`)))
    )
      reader.fault(`the section at ${hops.join(' → ')} answers ${status} with another space or nothing`);
  }
  // Nothing is at other paths, and redirects end.
  for (const { urls } of [...look.shown, ...look.sections]) await reader.get(`${urls.published}none`);
  // Every link leads somewhere.
  const links = new Map<string, string>();
  for (const [at, body] of reader.texts)
    for (const { href } of readPageFacts(body).links) {
      const target = new URL(href, at.split(' ')[0]).href.split('#')[0] ?? '';
      if (!href.startsWith('#') && target.startsWith(root) && !links.has(target)) links.set(target, at);
    }
  const isEmpty = !expected.pages.some(({ isFirst }) => isFirst);
  const own = stepped.sources.map((source) => root + source.slice(1).replace('*', ''));
  for (const [link, from] of links) {
    const { status, hops } = await reader.get(link);
    // A redirect of the owner may lead to nothing.
    const isOwn = hops.length > 1 && hops.some((hop) => own.some((start) => hop.startsWith(start)));
    if (status !== 200 && !isOwn && !(isEmpty && link === root))
      reader.fault(`the link ${hops.join(' → ')} on ${from} answers ${status}`);
  }
  // Sitemaps, and texts for agents.
  const listed = open.filter((page) => page.isListed && page.isIndexed && !page.shown.hidden);
  const addresses = new Set(listed.map(({ address }) => address));
  const locations = (body: string): string[] =>
    [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, at = '']) => at);
  if (visibility === 'public') {
    const found: string[] = [];
    for (const at of locations((await reader.get(`${root}sitemap.xml`)).body)) {
      const { status, body } = await reader.get(at);
      if (status !== 200) reader.fault(`the sitemap ${at} answers ${status}`);
      found.push(...locations(body));
    }
    compare(reader, 'sitemap', found, addresses);
  }
  const llms = await reader.get(`${root}llms.txt`);
  const inLlms = [...llms.body.matchAll(/\]\((https:[^)]*)\)/g)].map(([, at = '']) => at);
  const markdown = [...addresses].map((at) => (at.endsWith('/') ? `${at}index.md` : `${at}.md`));
  compare(reader, 'llms.txt', inLlms, new Set(markdown));
  for (const at of inLlms) {
    const { status, body } = await reader.get(at, { accept: 'text/markdown' });
    if (status !== 200 || !body.includes('Text ')) reader.fault(`${at} of llms.txt answers ${status}`);
  }
  const full = (await reader.get(`${root}llms-full.txt`)).body;
  for (const { word } of listed)
    if (!full.includes(`Text ${word}.`)) reader.fault(`llms-full.txt does not contain ${word}`);
  const index = JSON.parse((await reader.get(`${root}~gitbook/site-index`)).body) as {
    pages: { url: string }[];
  };
  const inMenus = open.filter((page) => page.isListed && !page.shown.hidden);
  const indexed = new Set(inMenus.map(({ address }) => address));
  compare(
    reader,
    'the site index',
    index.pages.map(({ url }) => url),
    indexed,
  );
  // The search finds what is listed.
  for (const [spaceId, pages] of contents)
    for (const word of [wordsIn(JSON.stringify(pages.map(({ title }) => title)))[0] ?? '']) {
      if (word === '') continue;
      const { body } = await reader.get(`${root}~gitbook/search?q=${word}`, { accept: 'application/json' });
      const { items } = JSON.parse(body) as { items: { href: string }[] };
      const wanted = listed.filter((page) => page.word === word);
      for (const { href } of items) {
        const at = new URL(href, origin).href.split('#')[0] ?? '';
        if (!wanted.some(({ address }) => address === at))
          reader.fault(`the search for ${word} finds ${at} (${spaceId})`);
      }
      if (items.length === 0 && wanted.length > 0)
        reader.fault(`the search does not find ${word} at ${wanted[0]?.address}`);
    }
  // Nothing else is shown.
  for (const [at, body] of reader.texts)
    for (const word of wordsIn(body))
      if (!expected.words.has(word) && !at.includes(`q=${word}`)) reader.fault(`${at} shows ${word}`);
  await checkApi(stepped, visitor, { ...given, expected, open, reader });
  return faults;
}

function compare(reader: Reader, name: string, found: readonly string[], wanted: ReadonlySet<string>): void {
  for (const at of found) if (!wanted.has(at)) reader.fault(`${name} has ${at}`);
  for (const at of wanted) if (!found.includes(at)) reader.fault(`${name} lacks ${at}`);
  if (new Set(found).size < found.length) reader.fault(`${name} has an address twice`);
}

/** The addresses that pages once had, while changes promised to redirect them. */
export class AddressHistory {
  readonly #stepped: SteppedSite;
  readonly #visitor: Visitor;
  #now = new Map<string, Expected>();
  readonly #known = new Map<string, Expected>();

  constructor(stepped: SteppedSite, visitor: Visitor) {
    this.#stepped = stepped;
    this.#visitor = visitor;
  }

  /** Looks at the site after a step. Returns the addresses that lead elsewhere although the step promised redirects. */
  async look(isPromised: boolean): Promise<string[]> {
    const { published, visibility, adaptiveContent } = await this.#stepped.call(
      getSite,
      this.#stepped.site.site,
    );
    if (!published || visibility !== 'public' || !adaptiveContent.enabled) {
      this.#now.clear();
      this.#known.clear();
      return [];
    }
    const look = await this.#stepped.look();
    const expected = await new Expectation(this.#visitor, true, visibility).read(
      this.#stepped,
      look,
      new Map(),
    );
    const open = expected.pages.filter((page) => !expected.isCovered(page));
    const taken = [
      ...expected.pages.map(({ address }) => address),
      ...expected.pages.map(({ path, shown }) => `${shown.urls.published}${path}`),
      ...expected.groups,
      ...look.sections.map(({ urls }) => urls.published ?? ''),
      ...look.shown.map(({ urls }) => urls.published ?? ''),
    ].map((at) => at.replace(/\/$/, '').toLowerCase());
    for (const [address, page] of this.#now)
      if (isPromised || open.some((one) => one.address === address && one.id === page.id))
        this.#known.set(address, page);
    const faults: string[] = [];
    const reader = new Reader(this.#stepped, this.#visitor, faults);
    for (const [address, { id, shown, word }] of this.#known) {
      const key = address.replace(/\/$/, '').toLowerCase();
      const isThere = open.some((page) => page.id === id && page.shown.space.id === shown.space.id);
      const isOwn = this.#stepped.sources.some((source) =>
        source.endsWith('*')
          ? key.startsWith(addressOfSite + source.slice(0, -1))
          : key === addressOfSite + source,
      );
      const { body, hops, status } = await reader.get(address);
      if (isThere && status === 200 && body.includes(`Text ${word}.`)) continue;
      this.#known.delete(address);
      if (isPromised && isThere && !isOwn && !taken.includes(key))
        reader.fault(`the old address ${hops.join(' → ')} of ${word} answers ${status}`);
    }
    this.#now = new Map(open.map((page) => [page.address, page]));
    return faults;
  }
}

/** Compares what the API says about a visitor. */
async function checkApi(
  stepped: SteppedSite,
  { claims }: Visitor,
  {
    root,
    visibility,
    shareKey,
    expected,
    open,
    reader,
  }: {
    root: string;
    visibility: string;
    shareKey: string;
    expected: Expectation;
    open: readonly Expected[];
    reader: Reader;
  },
): Promise<void> {
  const { site } = stepped.site;
  const query = { claims: JSON.stringify(claims), ...(visibility === 'share-link' ? { shareKey } : {}) };
  const { structure } = await stepped.call(getPublishedSite, site, { query });
  const ids: string[] = [];
  const add = (item: (typeof structure.structure)[number]): void => {
    if (item.object === 'site-space') ids.push(item.id);
    else if (item.object === 'site-section') item.siteSpaces.forEach(add);
    else if (item.object === 'site-section-group') item.children.forEach(add);
  };
  structure.structure.forEach(add);
  if (
    ids.sort().join() !==
    expected.visible
      .map(({ id }) => id)
      .sort()
      .join()
  )
    reader.fault(`sites published has ${ids.join()}, not ${expected.visible.map(({ id }) => id).join()}`);
  if (visibility !== 'public' && visibility !== 'unlisted') return;
  const { paths } = await stepped.call(listSitePaths, site, { query: { claims: JSON.stringify(claims) } });
  const pages = paths.filter(({ kind, coveredBy }) => kind === 'page' && coveredBy === undefined);
  compare(
    reader,
    'sites paths',
    pages.map(({ path }) => root + path),
    new Set(open.map(({ address }) => address)),
  );
  for (let from = 0; from < paths.length; from += 64) {
    const batch = paths
      .slice(from, from + 64)
      .filter(({ coveredBy, kind }) => coveredBy === undefined && kind !== 'asset');
    const names = JSON.stringify(batch.map(({ path }) => path));
    const { answers } = await stepped.call(readSitePaths, site, {
      query: { claims: JSON.stringify(claims), paths: names },
    });
    for (const [at, { path, status, location }] of answers.entries())
      if (batch[at]?.kind === 'page' && status !== 200)
        reader.fault(`sites paths: ${path} answers ${status} ${location}`);
  }
  const { findings } = await checkSite({
    api: stepped.site.world.as('admin'),
    ...site,
    claims: JSON.stringify(claims),
  });
  for (const { rule, page, detail } of findings)
    if (rule === 'broken-link' && !detail.includes('leads to nothing on the site'))
      reader.fault(`sites check: ${rule} on ${page}: ${detail}`);
}

/** Builds static files for a visitor. Returns what is missing in them. */
async function checkBuild(
  stepped: SteppedSite,
  visitor: Visitor,
  { root, expected, open }: { root: string; expected: Expectation; open: readonly Expected[] },
): Promise<string[]> {
  const faults: string[] = [];
  // Without a page, there is nothing at the start of the site.
  if (!open.some(({ isFirst }) => isFirst)) return faults;
  const { dir, build, read } = buildFolder(stepped.site);
  try {
    await build({ claims: visitor.claims, url: 'https://static.test/' });
    const files = new Set(listFiles(dir));
    const fileOf = (path: string): string => (path === '' || path.endsWith('/') ? `${path}index.html` : path);
    for (const { address, word } of open) {
      const file = fileOf(`${address.slice(root.length).replace(/\/$/, '')}/`.replace(/^\//, ''));
      if (!files.has(file) || !read(file).includes(`Text ${word}.`))
        faults.push(`build: ${file} does not show ${word}`);
    }
    for (const file of files) {
      if (!file.endsWith('.html')) continue;
      const text = read(file);
      for (const word of wordsIn(text))
        if (!expected.words.has(word)) faults.push(`build: ${file} shows ${word}`);
      const refresh = /http-equiv="refresh" content="0; ?url=([^"]*)"/.exec(text)?.[1];
      for (const href of [
        ...readPageFacts(text).links.map((link) => link.href),
        ...(refresh === undefined ? [] : [refresh]),
      ]) {
        const target = new URL(href, `https://static.test/${file}`);
        if (target.origin !== 'https://static.test') continue;
        const path = fileOf(decodeURIComponent(target.pathname.slice(1)));
        if (!files.has(path) && !files.has(`${path}/index.html`))
          faults.push(`build: the link ${href} on ${file} leads to nothing`);
      }
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
  return faults;
}

/** Checks a site from the view of a visitor. With `isBuilt`, its static files too. Returns what is wrong. */
export async function checkSiteOf(
  stepped: SteppedSite,
  visitor: Visitor,
  isBuilt: boolean,
): Promise<string[]> {
  const { published, visibility, urls, adaptiveContent } = await stepped.call(getSite, stepped.site.site);
  const look = await stepped.look();
  const faults: string[] = [];
  if (!published) {
    for (const { urls: at } of [...look.shown, ...look.sections])
      if (at.published !== undefined)
        faults.push(`the site is not published, but the API names ${at.published}`);
    return faults;
  }
  const isShared = visibility === 'share-link';
  const root = isShared ? `${urls.published}${stepped.shareKey}/` : (urls.published ?? '');
  const known = new Map<string, string>();
  for (const { id, urls: at } of look.shown) {
    const address = (at.published ?? '').toLowerCase();
    if (address === '' || known.has(address))
      faults.push(`${id} and ${known.get(address)} have the address ${address}`);
    known.set(address, id);
  }
  for (const { space } of look.shown) {
    const { published: address } = (await stepped.call(getSpace, { spaceId: space.id })).urls;
    if (!isShared && !known.has((address ?? '').toLowerCase()))
      faults.push(`the space ${space.id} has the address ${address}`);
  }
  const contents = new Map<string, readonly PageBody[]>();
  const isAdaptive = adaptiveContent.enabled;
  const given = { look, root, isAdaptive, visibility, shareKey: stepped.shareKey, contents };
  faults.push(...(await checkVisitor(stepped, visitor, given)));
  if (!isBuilt || (visibility !== 'public' && visibility !== 'unlisted')) return faults;
  const expected = await new Expectation(visitor, isAdaptive, visibility).read(stepped, look, contents);
  const open = expected.pages.filter((page) => !expected.isCovered(page));
  return [...faults, ...(await checkBuild(stepped, visitor, { root, expected, open }))];
}
