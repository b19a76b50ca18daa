import { isFromSpecification } from '../../../content/computed-source.ts';
import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { slugOfFile } from '../../../contract/specification-slug.ts';
import { isProblem } from '../../../errors/problem.ts';
import { getSpec } from '../../../resources/openapi/contract.ts';
import { LineScanner } from '../../../richtext/line-scanner.ts';
import type { Session } from '../../session/session.ts';
import type { Space } from './import-space.ts';

/** Matches a block that shows operations, schemas or a webhook of a specification, which it names by its slug or its file. */
const block =
  /^\{% (?:openapi-(?:operation|schemas|webhook) [^%]*?\bspec="([\w.-]{1,100})"|(?:openapi|swagger) [^%]*?\bsrc="([^"]{1,1000})")/;

/** Warns about specifications for generated pages and blocks of an import that the organization does not have. */
export async function noteMissingSpecifications(
  session: Session,
  readSpace: () => Promise<Space>,
  { pages, texts }: ImportPlan,
): Promise<void> {
  const slugs = new Map<string, string>();
  for (const change of [...pages, ...texts]) {
    const markdown = 'document' in change ? (change.document?.markdown ?? '') : '';
    if (!/\{% (?:openapi|swagger)/.test(markdown)) continue;
    for (const lines = new LineScanner(markdown); lines.next();) {
      const [, spec, file = ''] =
        (lines.kind === 'text' && block.exec(markdown.slice(lines.content, lines.end))) || [];
      const slug = spec ?? slugOfFile(file.replace(/^openapi:/, ''));
      if (slug !== '') slugs.set(slug, 'blocks show only a link');
    }
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
