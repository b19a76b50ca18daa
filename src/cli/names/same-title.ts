import type { Operation, PathParams } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { isRecord, truncate } from '../../contract/values.ts';
import { isProblem } from '../../errors/problem.ts';
import { kinds, type Kind } from './name-kinds.ts';
import { describeNamed, eachListed, withOrganization } from './names.ts';
import type { PlannedCall } from '../confirm/refuse-certain.ts';
import type { Session } from '../session/session.ts';

/** The kinds of resources that operations create or rename, and whose titles need not be unique. */
const kindsOfNouns: Readonly<Record<string, Kind>> = {
  collections: kinds.collection,
  'sites.external-links': kinds.externalLink,
  'sites.section-groups': kinds.group,
  'sites.share-links': kinds.shareLink,
  sites: kinds.site,
  spaces: kinds.space,
  teams: kinds.team,
  tokens: kinds.token,
};

/**
 * Notes on a terminal that another resource has the same title as the created or renamed one, because commands with this title
 * have to ask which one is meant. Scripts use IDs, so the request is not sent for them.
 */
export async function noteSameTitle(
  session: Session,
  { id: operationId }: Operation,
  call: PlannedCall | undefined,
  result: unknown,
): Promise<void> {
  const [, noun = '', verb = ''] = /^(.*)\.(create|add|update)$/.exec(operationId) ?? [];
  const kind = kindsOfNouns[noun];
  if (kind === undefined || call === undefined || !isRecord(call.body) || !isRecord(result)) return;
  if (!session.terminal.stderrIsTTY || session.flags.quiet === true) return;
  const [path] = kind.names;
  const name = valueAt(result, path);
  if (typeof name !== 'string' || name === '' || call.body[path] !== name) return;
  const others = await findOthers(session, kind, name, { params: call.params, own: result['id'] });
  if (others.length === 0) return;
  const what = path === 'name' ? 'name' : 'title';
  const rename =
    verb === 'update' || noun.includes('.') || noun === 'tokens'
      ? ''
      : ` To rename the new one, run \`docsctl ${noun} update ${String(result['id'])} --title TITLE\`.`;
  const [other = ''] = await describeNamed(session, kind, others);
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more`;
  session.note(
    `There is already a ${kind.word} with this ${what}: ${other}${more}. Commands that use the ${what} have to ask which one you mean.${rename}`,
  );
}

async function findOthers(
  session: Session,
  kind: Kind,
  name: string,
  { params, own }: { params: PathParams; own: unknown },
): Promise<readonly unknown[]> {
  const [path] = kind.names;
  const query = { ...(kind.filter === undefined ? {} : { [kind.filter]: truncate(name, 50) }), limit: 1000 };
  const found: unknown[] = [];
  try {
    const scope = await withOrganization(session, params);
    for await (const items of eachListed(session, kind.list, scope, query))
      found.push(...items.filter((item) => valueAt(item, path) === name && valueAt(item, 'id') !== own));
    return found;
  } catch (error) {
    // The change succeeded. If the caller may not list the others, there is no note.
    if (isProblem(error, 'forbidden', 'not-found', 'not-implemented', 'method-not-allowed')) return [];
    throw error;
  }
}
