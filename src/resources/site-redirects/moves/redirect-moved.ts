import type { Static } from '../../../contract/schema.ts';
import type { WriteContext } from '../../../core/handler.ts';
import { siteSpaces } from '../../../core/rows/site-spaces.ts';
import type { MovedRedirect } from '../schemas.ts';
import type { ContentChange, MakingContext } from './propose.ts';

/**
 * Returns the redirects that a change of content requires on published sites; undefined if no published site shows the space.
 * With `make`, they are also created. The code for this is loaded only if the space is part of a site.
 *
 * @throws Problem(forbidden) if the caller may not create them
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
