import { isFromSpecification } from '../../../content/computed-source.ts';
import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { isProblem } from '../../../errors/problem.ts';
import { getSpec } from '../../../resources/openapi/contract.ts';
import {
  findSpecificationBlocks,
  mayHaveSpecificationBlocks,
} from '../../../richtext/specification-blocks.ts';
import type { Session } from '../../session/session.ts';
import type { Space } from './import-space.ts';

/** No other name can be the slug of a specification. */
const slugPattern = /^[\w.-]{1,100}$/;

/** Warns about specifications for generated pages and blocks of an import that the organization does not have. */
export async function noteMissingSpecifications(
  session: Session,
  readSpace: () => Promise<Space>,
  { pages, texts }: ImportPlan,
): Promise<void> {
  const slugs = new Map<string, string>();
  for (const change of [...pages, ...texts]) {
    const markdown = 'document' in change ? (change.document?.markdown ?? '') : '';
    if (!mayHaveSpecificationBlocks(markdown)) continue;
    for (const { spec } of findSpecificationBlocks(markdown))
      if (slugPattern.test(spec)) slugs.set(spec, 'blocks show only a link');
  }
  for (const change of pages)
    if ('computed' in change && change.computed !== undefined && isFromSpecification(change.computed))
      slugs.set(change.computed.dependencies.spec.ref.spec, 'pages are left out');
  if (slugs.size === 0) return;
  const { organization } = await readSpace();
  for (const [slug, effect] of slugs)
    try {
      await session.call(getSpec, { params: { organizationId: organization, specSlug: slug } });
    } catch (error) {
      // Guests cannot list specifications.
      if (isProblem(error, 'forbidden', 'not-implemented')) return;
      if (!isProblem(error, 'not-found')) throw error;
      session.note(
        `warning: there is no OpenAPI specification "${slug}", so its ${effect}. Add it with \`docsctl openapi publish FILE --slug ${slug}\`.`,
      );
    }
}
