import type { Handler } from '../../../core/handler.ts';
import { changeRequestOf } from '../../../core/authorize.ts';
import { changeRequests } from '../../../core/rows/change-requests.ts';
import { checkActive, checkUnlocked } from '../../change-requests/rules.ts';
import { applyTemplate as fill } from '../apply-template.ts';
import { publishRevision } from '../publish.ts';
import { listTexts as textsOf, showContent } from '../show-content.ts';
import type * as contract from './contract.ts';

export const getContent: Handler<typeof contract.getContent> = (context, { query }) =>
  showContent(context, query);
export const listTexts: Handler<typeof contract.listTexts> = textsOf;

export const applyTemplate: Handler<typeof contract.applyTemplate> = async (context, { body }) => {
  const { tx, space, now } = context;
  const { changeRequestId, ...template } = body;
  checkUnlocked(space);
  if (changeRequestId === undefined) {
    await publishRevision(context, space, await fill(context, { base: space.revision, space, template }));
    return;
  }
  const row = await changeRequestOf(tx, space, String(changeRequestId));
  checkActive(row);
  await tx.update(changeRequests, row.id, {
    revision: await fill(context, { base: row.revision, space, template }),
    updatedAt: now,
  });
};
