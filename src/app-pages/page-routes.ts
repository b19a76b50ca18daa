import type { PathParams } from '../contract/operation.ts';
import { clusterPage } from './cluster-page.ts';
import { collectionPage } from './collection-page.ts';
import { changeRequestPages, pageById, pageOfSpace, revisionPages } from './content-pages.ts';
import { homePage } from './home-page.ts';
import { installationPage, integrationPage } from './integration-pages.ts';
import { organizationPage } from './organization-page.ts';
import type { PageMaker } from './page-view.ts';
import { sitePage } from './site-page.ts';
import { spacePage } from './space-page.ts';
import { specificationPage } from './specification-page.ts';

/**
 * The pages by path, which are those of `urls.app` in answers of the API. `*` matches the rest of the path. The first match
 * counts.
 */
const routes: readonly (readonly [path: string, page: PageMaker])[] = [
  ['/o/', homePage],
  ['/o/:organizationId', organizationPage],
  ['/o/:organizationId/c/:collectionId', collectionPage],
  ['/o/:organizationId/conversations/clusters/:clusterId', clusterPage],
  ['/o/:organizationId/integrations/:integrationName', installationPage],
  ['/o/:organizationId/openapi/:specSlug', specificationPage],
  ['/o/:organizationId/sites/:siteId', sitePage],
  ['/o/:organizationId/s/:spaceId', spacePage],
  ['/o/:organizationId/s/:spaceId/~/changes/:number', changeRequestPages],
  ['/o/:organizationId/s/:spaceId/~/changes/:number/*', changeRequestPages],
  ['/o/:organizationId/s/:spaceId/~/pages/:pageId', pageById],
  ['/o/:organizationId/s/:spaceId/~/revisions/:revisionId', revisionPages],
  ['/o/:organizationId/s/:spaceId/~/revisions/:revisionId/*', revisionPages],
  ['/o/:organizationId/s/:spaceId/*', pageOfSpace],
  ['/integrations/:integrationName', integrationPage],
];

const table = routes.map(([path, page]) => ({ parts: path.split('/').slice(1), page }));

/** Returns the page of a path, given as its decoded parts. The rest of a path is the parameter `path`. */
export function findPage(
  parts: readonly string[],
): { readonly page: PageMaker; readonly params: PathParams } | undefined {
  for (const { parts: pattern, page } of table) {
    const params = matchParts(pattern, parts);
    if (params !== undefined) return { page, params };
  }
  return undefined;
}

/** Matches the parts of a path with a pattern. Returns the parameters; undefined if they do not match. */
export function matchParts(
  pattern: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  const hasRest = pattern.at(-1) === '*';
  if (hasRest ? parts.length < pattern.length : parts.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const given = parts[at] ?? '';
    if (part === '*') params['path'] = parts.slice(at).join('/');
    else if (part.startsWith(':')) {
      if (given === '') return undefined;
      params[part.slice(1)] = given;
    } else if (part !== given) return undefined;
  }
  return params;
}
