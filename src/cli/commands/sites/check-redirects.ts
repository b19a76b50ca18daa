import type { Static } from '../../../contract/schema.ts';
import type { PageReader } from '../../../manifest/kinds/page-paths.ts';
import { places } from '../../../manifest/kinds/redirects.ts';
import type { Structure } from '../../../manifest/kinds/structure.ts';
import type { SiteRedirect } from '../../../resources/site-redirects/contract.ts';
import { comparable, pathOnSite, patternOf } from '../../../core/redirect-paths.ts';
import { isReservedPath } from '../../../resources/site-structure/paths.ts';
import { baseOf } from './redirect-targets.ts';

type Redirect = Static<typeof SiteRedirect>;

export interface RedirectCheck {
  readonly redirects: readonly Redirect[];
  readonly structure: Structure;
  readonly pages: PageReader;
  /** The addresses of the site, each with a slash at the end. */
  readonly addresses: readonly string[];
}

/** A redirect with a problem. */
export interface RedirectFinding {
  readonly problem: 'loop' | 'chain' | 'gone' | 'unused';
  readonly source: string;
  /** A short description of the problem. */
  readonly detail: string;
  readonly draft: boolean;
  readonly id: string;
}

/** Finds redirects that lead in circles, to other redirects or nowhere, and those whose source is the path of a page. */
export async function checkRedirects(check: RedirectCheck): Promise<RedirectFinding[]> {
  const { redirects, structure } = check;
  const findMatch = matcherOf(redirects.filter(({ draft }) => !draft));
  const paths = await readPaths(check);
  const findings: RedirectFinding[] = [];
  for (const redirect of redirects) {
    const { source, draft, id } = redirect;
    const add = (problem: RedirectFinding['problem'], detail: string) =>
      void findings.push({ problem, source, detail, draft, id });
    const gone = await whatIsGone(redirect, structure, check.pages);
    if (gone !== undefined) add('gone', gone);
    const pattern = patternOf(source);
    if (isOwn(pattern.key, structure)) add('unused', 'the site itself answers at this path');
    if (pattern.prefix === undefined && paths.has(pattern.key))
      add('unused', 'the site has a page at this path');
    const trail = follow(redirect, findMatch, check, paths);
    if (trail.isLoop) add('loop', trail.sources.join(' → '));
    else if (trail.sources.length > 1) add('chain', trail.sources.join(' → '));
    if (trail.lost !== undefined) add('gone', `the site has no page at "${trail.lost}"`);
  }
  return findings;
}

/** Whether a site itself answers at a path, such as /llms.txt, or /guides/~gitbook/pdf if it has a space at /guides. */
function isOwn(key: string, structure: Structure): boolean {
  if (isReservedPath(key.slice(1))) return true;
  const bases = places(structure).map((place) => `${comparable(baseOf(place, structure))}/`);
  const [base] = bases.filter((one) => key.startsWith(one)).sort((one, other) => other.length - one.length);
  return base !== undefined && isReservedPath(key.slice(base.length), { inSpace: true });
}

/** Returns what is missing if the destination of a redirect in the site does not exist. */
async function whatIsGone(
  { destination }: Redirect,
  structure: Structure,
  pages: PageReader,
): Promise<string | undefined> {
  if (destination.kind === 'external') return undefined;
  if (destination.kind === 'site-section') {
    const exists = structure.sections.some(({ id }) => id === destination.siteSectionId);
    return exists ? undefined : `the section ${destination.siteSectionId} no longer exists`;
  }
  const shown = places(structure).find(({ siteSpace }) => siteSpace.id === destination.siteSpaceId);
  if (shown === undefined) return `the site no longer shows the site space ${destination.siteSpaceId}`;
  if (destination.kind === 'site-space') return undefined;
  const { pageId } = destination;
  const known = await pages(shown.siteSpace.space.id);
  return known.pathOf(pageId) === pageId
    ? `the page ${pageId} no longer exists in "${shown.siteSpace.title}"`
    : undefined;
}

interface Trail {
  readonly sources: readonly string[];
  readonly isLoop: boolean;
  /** The last path on the site, if the site has nothing there. */
  readonly lost?: string;
}

/** Follows redirects of the same site, like a browser. A page of the site ends the trail. */
function follow(
  start: Redirect,
  findMatch: FindMatch,
  check: RedirectCheck,
  paths: ReadonlySet<string>,
): Trail {
  const sources: string[] = [];
  const seen = new Set<string>();
  for (let current = start; ;) {
    sources.push(current.source);
    seen.add(current.id);
    const path = pathAfter(current, check);
    if (path === undefined || paths.has(comparable(path))) return { sources, isLoop: false };
    const next = findMatch(path);
    if (next === undefined)
      return { sources, isLoop: false, ...(!current.captureWildcard && { lost: path }) };
    if (seen.has(next.id)) return { sources: [...sources, next.source], isLoop: true };
    current = next;
  }
}

/** Returns the path on the site that a redirect leads to; undefined if the site cannot redirect it again. */
function pathAfter(
  { destination, captureWildcard }: Redirect,
  { addresses, structure }: RedirectCheck,
): string | undefined {
  // A star stands for an unknown text, so this uses a path that no site has.
  const rest = captureWildcard ? '/~' : '';
  if (destination.kind === 'external') {
    const path = pathOnSite(addresses, destination.url);
    return path === undefined ? undefined : path + rest;
  }
  if (!captureWildcard || destination.kind === 'site-page') return undefined;
  const place = places(structure).find(({ section, siteSpace }) =>
    destination.kind === 'site-space'
      ? siteSpace.id === destination.siteSpaceId
      : structure.sections.some(({ id, path }) => id === destination.siteSectionId && path === section) &&
        siteSpace.default,
  );
  return place === undefined ? undefined : baseOf(place, structure) + rest;
}

/** Finds the redirect for a path: the exact match, or else the one with a star and the longest prefix. */
type FindMatch = (path: string) => Redirect | undefined;

function matcherOf(redirects: readonly Redirect[]): FindMatch {
  const patterns = redirects.map((redirect) => ({ redirect, ...patternOf(redirect.source) }));
  const exact = new Map(patterns.map(({ key, redirect }) => [key, redirect]));
  const starred = patterns
    .flatMap(({ prefix, redirect }) => (prefix === undefined ? [] : [{ prefix, redirect }]))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return (path) => {
    const key = comparable(path);
    return exact.get(key) ?? starred.find(({ prefix }) => key.startsWith(prefix))?.redirect;
  };
}

/** Returns all paths of a site, in the form in which paths are compared. '' is its start. */
async function readPaths({ structure, pages }: RedirectCheck): Promise<Set<string>> {
  const paths = new Set(['']);
  for (const place of places(structure)) {
    const base = baseOf(place, structure);
    const known = await pages(place.siteSpace.space.id);
    paths.add(comparable(base));
    for (const path of known.paths) paths.add(comparable(`${base}/${path}`));
  }
  return paths;
}
