import { isFromSpecification } from '../../../content/computed-source.ts';
import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { isProblem } from '../../../errors/problem.ts';
import { getSpec } from '../../../resources/openapi/contract.ts';
import type { Session } from '../../session/session.ts';
import type { Space } from './import-space.ts';

/** Warns about specifications for generated pages of an import that the organization does not have. */
export async function noteMissingSpecifications(
  session: Session,
  readSpace: () => Promise<Space>,
  { pages }: ImportPlan,
): Promise<void> {
  const slugs = new Set(
    pages.flatMap((change) =>
      'computed' in change && change.computed !== undefined && isFromSpecification(change.computed)
        ? [change.computed.dependencies.spec.ref.spec]
        : [],
    ),
  );
  if (slugs.size === 0) return;
  const { organization } = await readSpace();
  for (const slug of slugs)
    try {
      await session.call(getSpec, { params: { organizationId: organization, specSlug: slug } });
    } catch (error) {
      // Guests cannot list specifications.
      if (isProblem(error, 'forbidden', 'not-implemented')) return;
      if (!isProblem(error, 'not-found')) throw error;
      session.note(
        `warning: there is no OpenAPI specification "${slug}", so its pages are left out. Add it with \`docsctl openapi publish FILE --slug ${slug}\`.`,
      );
    }
}
