import type { Api } from '../contract/api.ts';
import { defined } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { getSite } from '../resources/sites/contract.ts';
import { listSitePaths, maxPaths, readSitePaths } from '../resources/site-paths/contract.ts';
import { hostFiles } from './host-files.ts';
import { hashText, type OutputFolder } from './output-folder.ts';
import { SearchIndexBuilder } from './search-index.ts';
import {
  feedOf,
  markdownOf,
  relativeAddress,
  searchPath,
  StaticPaths,
  type ListedPath,
} from './static-paths.ts';
import { splitBatches } from './split-batches.ts';
import { redirectPage, toBranchScript, toStaticHtml, toStaticText } from './to-static.ts';

/** The site to build, its audience, and the folder. */
interface BuildRequest {
  readonly api: Api;
  readonly organizationId: string;
  readonly siteId: string;
  readonly claims?: string | undefined;
  /** The URL where the folder will be served. */
  readonly address?: string | undefined;
  readonly folder: OutputFolder;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

interface BuildResult {
  readonly pages: number;
  /** Number of pages that were rendered, because they were missing or something that they show has changed. */
  readonly rendered: number;
  /** Number of redirects that static files cannot make. They are only in `_redirects`. */
  readonly wildcards: number;
  /** Sources of pages that integrations compute. Static copies do not include them. */
  readonly leftOut: readonly LeftOut[];
}

/** A source of pages that integrations compute. */
export interface LeftOut {
  readonly title: string;
  /** The title of its space. */
  readonly space: string;
}

/** Maximum total length of the paths in one request, in characters. */
const maxRequest = 12_000;
/** Maximum number of times that a build starts again because the site was changed meanwhile. */
const maxChanges = 10;
/** Number of parts between two writes of the record file. */
const recordAfter = 500;
/** Maximum number of bytes of files that are requested at once. */
const maxFileBytes = 4_000_000;

type Answer = Awaited<ReturnType<Build['read']>>[number];

/**
 * Writes a site into a folder of static files, using the answers that its visitors get. Does not request parts that have not
 * changed since the last build. All pages are of the same version of the site.
 *
 * @throws Problem(conflict) for a site that changes again and again
 */
export async function buildSite(request: BuildRequest): Promise<BuildResult> {
  for (let attempt = 1; ; attempt++)
    try {
      return await new Build(request).run();
    } catch (error) {
      request.folder.interrupt();
      if (!(error instanceof SiteChanged)) throw error;
      if (attempt === maxChanges)
        throw new Problem('conflict', `The site was changed ${maxChanges} times while it was built.`, {
          hint: 'Build it again when no one is changing the site.',
        });
    }
}

/** Thrown if an answer comes from another version of the site than the list of paths. */
class SiteChanged extends Error {}

class Build {
  readonly #request: BuildRequest;
  readonly #params: { readonly organizationId: string; readonly siteId: string };
  readonly #query: { readonly claims?: string; readonly address?: string };
  readonly #origin: string;
  #version = '';
  #paths = new StaticPaths('/', []);
  #listed: readonly ListedPath[] = [];
  #finder = '';
  #rendered = 0;
  #sinceRecord = 0;

  constructor(request: BuildRequest) {
    const { organizationId, siteId, claims, address } = request;
    this.#request = request;
    this.#params = { organizationId, siteId };
    this.#query = defined({ claims, address });
    this.#origin = address === undefined ? '' : new URL(address).origin;
  }

  async run(): Promise<BuildResult> {
    const { api, folder, signal } = this.#request;
    const {
      version,
      base,
      paths: all,
      leftOut = [],
    } = await api.call(listSitePaths, { params: this.#params, query: this.#query }, defined({ signal }));
    this.#version = version;
    const paths = all.filter(({ coveredBy }) => coveredBy === undefined);
    this.#listed = paths;
    this.#paths = new StaticPaths(base, paths);
    this.#finder = paths.find(({ path }) => path.startsWith('~assets/finder-'))?.path ?? '';
    const of = (...kinds: readonly ListedPath['kind'][]): readonly ListedPath[] =>
      paths.filter(({ kind }) => kinds.includes(kind));
    const pages = of('page');
    await this.#make(pages, (page) => [page.path, markdownOf(page.path)]);
    const feeds = pages.flatMap(({ path, key }) => {
      const feed = feedOf(path);
      return folder.usesOf(path).includes(feed) ? [{ path: feed, kind: 'text' as const, key }] : [];
    });
    await this.#make([...of('branch', 'asset', 'text'), ...feeds], ({ path }) => [path]);
    await this.#makeFiles(of('file'));
    const wildcards = await this.#makeRedirects(of('redirect'));
    this.#makeSearch(pages);
    const { visibility } = await api.call(getSite, { params: this.#params }, defined({ signal }));
    folder.add('~host', '', hostFiles(visibility === 'public'));
    folder.end();
    return { pages: pages.length, rendered: this.#rendered, wildcards, leftOut };
  }

  /** Requests changed parts, many at once, and writes them. */
  async #make(parts: readonly ListedPath[], pathsOf: (part: ListedPath) => readonly string[]): Promise<void> {
    const { folder, onProgress } = this.#request;
    const changed = parts.filter(({ path, key }) => folder.keep(path, key) === undefined);
    const isPages = parts[0]?.kind === 'page';
    let done = parts.length - changed.length;
    if (isPages) onProgress?.(done, parts.length);
    for (const batch of batches(changed, pathsOf)) {
      const answers = await this.read(batch.flatMap(pathsOf));
      let at = 0;
      for (const part of batch) {
        const own = answers.slice(at, (at += pathsOf(part).length));
        this.#write(part, own);
      }
      done += batch.length;
      if (isPages) onProgress?.(done, parts.length);
      this.#sinceRecord += batch.length;
      if (this.#sinceRecord < recordAfter) continue;
      folder.interrupt();
      this.#sinceRecord = 0;
    }
  }

  #write(part: ListedPath, answers: readonly Answer[]): void {
    const { folder } = this.#request;
    const { path, key, kind } = part;
    const [answer, markdown] = answers;
    const place = this.#paths.find(path);
    if (answer === undefined || place === undefined) return;
    const { status, text = '', content } = answer;
    // Without an address, no absolute URLs can be listed. Texts that the site does not have are left out.
    if (
      kind === 'text' &&
      (status !== 200 || (this.#origin === '' && path.endsWith('.xml'))) &&
      path !== '404.html'
    )
      return folder.add(path, key, []);
    if (kind === 'page') this.#rendered++;
    if (kind === 'branch') return folder.add(path, key, [[place.file, toBranchScript(text, this.#paths)]]);
    if (kind === 'asset') return folder.add(path, key, [[place.file, content]]);
    if (kind === 'text' && !path.endsWith('.html') && path !== searchPath)
      return folder.add(path, key, [[place.file, toStaticText(text, this.#paths, this.#origin)]]);
    const { html, uses } = toStaticHtml(text, {
      paths: this.#paths,
      address: path === '404.html' ? undefined : place.address,
      finder: this.#finder,
      origin: this.#origin,
    });
    const files: [string, string][] = [
      [place.file, path === searchPath ? this.#withFinder(html, place.address) : html],
    ];
    if (markdown !== undefined) files.push([markdownFile(this.#paths, path), markdown.text ?? '']);
    const used = [...uses].filter((each) => each.includes('~files/') || each === feedOf(path));
    folder.add(path, key, files, used);
  }

  #withFinder(html: string, address: string): string {
    const script = `<script src="${relativeAddress(address, this.#finder)}" defer></script>`;
    return html.replace('</head>', () => `${script}</head>`);
  }

  async #makeFiles(files: readonly ListedPath[]): Promise<void> {
    const { folder } = this.#request;
    const used = new Set(
      this.#listed.flatMap(({ path, kind }) => (kind === 'page' ? folder.usesOf(path) : [])),
    );
    const changed = files.filter(({ path, key }) => used.has(path) && folder.keep(path, key) === undefined);
    for (const batch of batches(changed)) {
      const answers = await this.read(batch.map(({ path }) => path));
      for (const [index, { path, key }] of batch.entries()) {
        const place = this.#paths.find(path);
        const answer = answers[index];
        if (place !== undefined && answer?.status === 200)
          folder.add(path, key, [[place.file, answer.content]]);
      }
    }
  }

  /**
   * Writes the pages that redirect to other pages, and `_redirects` for hosts that support it. Returns the number of redirects
   * that only such hosts support.
   */
  async #makeRedirects(redirects: readonly ListedPath[]): Promise<number> {
    const { folder } = this.#request;
    const rules: string[] = [];
    let wildcards = 0;
    for (const batch of batches(redirects)) {
      const answers = await this.read(batch.map(({ path }) => path.replace(/\*$/, splat)));
      for (const [index, { path, key, title = 'Redirect' }] of batch.entries()) {
        const { status = 0, location } = answers[index] ?? {};
        if (location === undefined || status < 300 || status > 399) continue;
        const below = this.#paths.addressOf(location);
        const to = below === undefined ? location : this.#paths.base + below;
        const code = status === 308 ? 301 : 302;
        if (path.endsWith('*')) {
          wildcards++;
          rules.push(`${this.#paths.base}${path} ${to.replace(splat, ':splat')} ${code}`);
          continue;
        }
        if (path !== '') rules.push(`${this.#paths.base}${path} ${to} ${code}`);
        const place = this.#paths.find(path);
        if (place === undefined) continue;
        const target = below === undefined ? location : relativeAddress(place.address, below);
        folder.add(path, key, [[place.file, redirectPage(target, title)]]);
      }
    }
    // The longest source comes first, because hosts apply the first matching rule.
    const text = rules.sort(
      (one, other) => Number(one.includes('*')) - Number(other.includes('*')) || other.length - one.length,
    );
    folder.add('_redirects', '', rules.length === 0 ? [] : [['_redirects', `${text.join('\n')}\n`]]);
    return wildcards;
  }

  /** Writes the search index, unless no page has changed. */
  #makeSearch(pages: readonly ListedPath[]): void {
    const { folder } = this.#request;
    const shown = pages.filter(({ hidden, noIndex }) => hidden !== true && noIndex !== true);
    const titles = new Map(this.#listed.map(({ path, title }) => [path, title]));
    const key = hashText(
      JSON.stringify(
        shown.map(({ path, key: own, title, ...page }) => [
          path,
          own,
          title,
          page.space,
          page.section,
          page.sectionPath,
          page.spacePath,
          page.language,
        ]),
      ),
    );
    if (folder.keep('~search', key) !== undefined) return;
    const files: Record<string, string> = {};
    const builder = new SearchIndexBuilder(({ file, text }) => {
      files[file] = folder.write(file, text);
    });
    for (const { path, title = '', space = '', spacePath = '', language = '', ...page } of shown) {
      const names = above(path).map((each) => titles.get(each));
      builder.add({
        title,
        space: {
          path: spacePath,
          title: space,
          language,
          section: page.section === undefined ? undefined : [page.section, page.sectionPath ?? ''],
        },
        place: names.filter((name) => name !== undefined).join(' › '),
        address: this.#paths.find(path)?.address ?? '',
        markdown: folder.readText(markdownFile(this.#paths, path)),
      });
    }
    builder.end();
    folder.addWritten('~search', key, files);
  }

  /**
   * Requests the answers of the site for some paths.
   *
   * @throws SiteChanged
   */
  async read(paths: readonly string[]) {
    const { api, signal } = this.#request;
    const { version, answers } = await api.call(
      readSitePaths,
      { params: this.#params, query: { ...this.#query, paths: JSON.stringify(paths) } },
      defined({ signal }),
    );
    if (version !== this.#version) throw new SiteChanged();
    return answers.map(({ base64, ...answer }) => ({
      ...answer,
      content: base64 === undefined ? (answer.text ?? '') : Buffer.from(base64, 'base64'),
    }));
  }
}

/** A placeholder for the rest of a path that a star matches. */
const splat = 'docsctl-splat';

/** Splits parts so that each request has a size that servers accept, and its answer contains few bytes of files. */
function batches(
  parts: readonly ListedPath[],
  pathsOf: (part: ListedPath) => readonly string[] = ({ path }) => [path],
): Iterable<readonly ListedPath[]> {
  const weightsOf = (part: ListedPath): number[] => {
    const paths = pathsOf(part);
    return [paths.length, encodeURIComponent(JSON.stringify(paths)).length, part.size ?? 0];
  };
  return splitBatches(parts, weightsOf, [maxPaths, maxRequest, maxFileBytes]);
}

function markdownFile(paths: StaticPaths, path: string): string {
  return paths.find(markdownOf(path))?.file ?? '';
}

function above(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(0, -1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
