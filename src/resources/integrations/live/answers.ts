import lz from 'lz-string';
import { checkInput } from '../../../contract/check.ts';
import { parseJson } from '../../../contract/limits.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import type { Static } from '../../../contract/schema.ts';
import { defined, isObject, isRecord } from '../../../contract/values.ts';
import { organizationScope } from '../../../core/authorize.ts';
import { Deferred, type Context, type DeferringHandler, type Handler } from '../../../core/handler.ts';
import { missingRole } from '../../../core/missing-role.ts';
import { can, contentRole } from '../../../core/permissions.ts';
import { installations } from '../../../core/rows/integrations.ts';
import { sites } from '../../../core/rows/sites.ts';
import { spaces } from '../../../core/rows/spaces.ts';
import { findOne } from '../../../core/store.ts';
import { invalid, notFound, Problem } from '../../../errors/problem.ts';
import { errorIn } from '../../integration-events/deliver.ts';
import type { Recipient } from '../../integration-events/environment.ts';
import { recordTask } from '../../integration-events/record.ts';
import { runLive } from '../../integration-events/runs.ts';
import { findTarget } from '../../integration-events/targets.ts';
import * as contract from './contract.ts';

type Request = Static<typeof contract.RenderRequest>;
type RenderContext = Pick<Context<typeof contract.renderCompressed>, 'tx' | 'caller' | 'integration'>;

export const render: DeferringHandler<typeof contract.render> = (context, { body }) =>
  answerRender(context, body);

export const renderCompressed: DeferringHandler<typeof contract.renderCompressed> = (
  context,
  { params, query },
) => {
  const { body } = checkInput(contract.render, { params, body: decompress(query.request) });
  return answerRender(context, body as Request);
};

export const queueTask: Handler<typeof contract.queueTask> = async (context, { body }) => {
  const { integration, caller, role } = context;
  const { task, schedule = 0 } = body;
  if (caller.integration?.name !== integration.id && !can(role, 'admin'))
    throw new Problem(
      'forbidden',
      'Only the integration itself and administrators of the organization that publishes it can queue its tasks.',
      { hint: 'Ask an administrator of that organization.' },
    );
  await recordTask(context, integration, caller.integration?.installation, { task, delay: schedule });
};

async function answerRender(context: RenderContext, request: Request): Promise<Deferred<Rendered>> {
  const recipient = await findRecipient(context, request.context);
  const { componentId, props, state, context: where, action } = request;
  const event = {
    type: 'ui_render',
    ...placeOf(where),
    auth: { userId: context.caller.user.id },
    componentId,
    props,
    ...defined({ state }),
    context: { theme: 'light', ...where },
    ...defined({ action }),
  };
  return new Deferred(async (services) => {
    const answer = await runLive(services, recipient, event);
    if (answer.status === 404) throw notFound('component', componentId);
    const { id } = recipient.integration;
    if (answer.status < 200 || answer.status > 299)
      throw new Problem('script-failed', `The integration "${id}" failed. ${errorIn(answer)}`, {
        hint: traceHint(id),
      });
    const read = readRendered(Buffer.from(answer.body).toString());
    if (typeof read !== 'string') return read;
    throw new Problem('script-failed', `The integration "${id}" did not answer with a component. ${read}`, {
      hint: traceHint(id),
    });
  });
}

type Rendered = OutputOf<typeof contract.render>;

/** Reads the answer of a script, or says in one sentence what is wrong with it. */
function readRendered(text: string): Rendered | string {
  let answer: unknown;
  try {
    // Clients read no JSON that is deeper.
    answer = parseJson(text);
  } catch (error) {
    return error instanceof Problem ? error.message : 'The answer is not JSON.';
  }
  return isRecord(answer) && (answer['type'] === 'element' || answer['type'] === 'complete')
    ? (answer as Rendered)
    : 'The answer is not an object with the type "element" or "complete".';
}

function traceHint(integration: string): string {
  return `Find the event with \`docsctl integrations events list ${integration}\`, then show its trace with \`docsctl integrations events get EVENT --integration ${integration}\`.`;
}

function placeOf(where: Request['context']): { spaceId?: string; siteId?: string } {
  if ('siteId' in where) return { siteId: where.siteId };
  return 'spaceId' in where && where.spaceId !== undefined ? { spaceId: where.spaceId } : {};
}

/** Finds the installation for which a component is drawn. @throws Problem(not-found), Problem(forbidden) */
async function findRecipient(
  { tx, caller, integration }: RenderContext,
  where: Request['context'],
): Promise<Recipient> {
  const { spaceId, siteId } = placeOf(where);
  const space = spaceId === undefined ? undefined : await tx.get(spaces, spaceId);
  const site = siteId === undefined ? undefined : await tx.get(sites, siteId);
  const organization =
    'organizationId' in where ? where.organizationId : (space?.organization ?? site?.organization);
  const missing = (): Problem =>
    spaceId !== undefined
      ? notFound('space', spaceId)
      : siteId !== undefined
        ? notFound('site', siteId)
        : notFound('organization', organization ?? '');
  if (organization === undefined) throw missing();
  if (space !== undefined && (space.state !== 'live' || space.organization !== organization)) throw missing();
  const scope = await organizationScope(tx, caller, organization, missing);
  const { role } = scope;
  const isDocument = where.type === 'document';
  const effective = space === undefined ? role : await contentRole(tx, scope, space);
  if (isDocument && !can(effective, 'read')) throw missing();
  if (!isDocument && !can(role, 'admin'))
    throw missingRole(scope, { action: 'use the settings of an integration', level: 'admin' });
  const installation = await findOne(tx, installations, 'byPlace', [integration.id, organization]);
  const target = await findTarget(tx, { integration, installation }, { spaceId, siteId });
  const isNeeded = isDocument && installation?.spaceSelection === 'selected';
  if (installation === undefined || (isNeeded && target === undefined))
    throw new Problem('not-found', `The integration "${integration.id}" is not installed here.`, {
      hint: `Install it: \`docsctl integrations installations create ${integration.id}\``,
    });
  return { integration, installation, target };
}

/** Parses JSON that was compressed with LZ-string. Both of its URL alphabets are in use. */
function decompress(text: string): unknown {
  for (const read of [lz.decompressFromBase64, lz.decompressFromEncodedURIComponent])
    try {
      const json: unknown = JSON.parse(read(text.replaceAll(' ', '+')) ?? '');
      if (isObject(json)) return json;
    } catch {
      // The text may use the other alphabet.
    }
  throw invalid(
    '/query/request',
    'The request is not JSON that was compressed with LZ-string.',
    'Compress it with `compressToBase64` of LZ-string, or use POST.',
  );
}
