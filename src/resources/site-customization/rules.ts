import { readPageNode } from '../../content/page-node.ts';
import { readFile } from '../../content/revisions.ts';
import { isRecord } from '../../contract/values.ts';
import type { ResourceScope } from '../../core/handler.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';
import { spaceOf } from '../site-spaces/rules.ts';
import { claimSchemaOf } from '../site-structure/conditions.ts';

type CheckContext = ResourceScope & { readonly tx: ReadTransaction; readonly site: SiteRow };

/**
 * Checks that the links and images of settings lead to spaces, pages and files of the organization, and that conditions are
 * valid.
 *
 * @throws Problem(not-found), Problem(invalid-input)
 */
export async function checkSettings(context: CheckContext, settings: unknown, path = '/body'): Promise<void> {
  if (Array.isArray(settings)) {
    for (const [index, item] of settings.entries()) await checkSettings(context, item, `${path}/${index}`);
  } else if (isRecord(settings)) {
    await checkTarget(context, settings);
    for (const [name, value] of Object.entries(settings)) {
      if (name === 'condition' && typeof value === 'string')
        await checkCondition(context.site, value, `${path}/condition`);
      else await checkSettings(context, value, `${path}/${name}`);
    }
  }
}

async function checkTarget(
  context: CheckContext,
  { kind, space: id, page, file }: Record<string, unknown>,
): Promise<void> {
  if ((kind !== 'space' && kind !== 'page' && kind !== 'file') || typeof id !== 'string') return;
  const space = await spaceOf(context, id, 'read');
  if (typeof page === 'string' && (await readPageNode(context.tx, space.revision, page)) === undefined)
    throw notFound('page', page);
  if (typeof file === 'string' && (await readFile(context.tx, space.revision, file)) === undefined)
    throw notFound('file', file);
}

async function checkCondition(site: SiteRow, condition: string, path: string): Promise<void> {
  const { assertValidCondition } = await import('../../conditions/condition-evaluator.ts');
  assertValidCondition(condition, path, claimSchemaOf(site));
}
