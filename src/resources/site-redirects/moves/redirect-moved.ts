import type { Static } from '../../../contract/schema.ts';
import type { WriteContext } from '../../../core/handler.ts';
import { siteSpaces } from '../../../core/rows/site-spaces.ts';
import type { MovedRedirect } from '../schemas.ts';
import type { ContentChange, MakingContext } from './propose.ts';

/**
 * Returns the redirects that a change of content needs on published sites, and makes them if wanted; undefined where no
 * published site shows the space. What finds them is loaded only for spaces of sites.
 *
 * @throws Problem(forbidden) where the caller may not make them
 */
export async function redirectMoved(
  context: MakingContext & WriteContext,
  change: ContentChange,
  make: boolean,
): Promise<Static<typeof MovedRedirect>[] | undefined> {
  if ((await context.tx.count(siteSpaces, 'bySpace', [change.space])) === 0) return undefined;
  const { makeRedirects, proposeRedirects, shapeProposals } = await import('./propose.ts');
  const proposals = await proposeRedirects(context, [change]);
  if (proposals.length === 0) return undefined;
  return make ? makeRedirects(context, proposals) : shapeProposals(proposals);
}
