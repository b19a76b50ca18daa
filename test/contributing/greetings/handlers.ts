import type { Static } from '../../../src/contract/schema.ts';
import type { Handler } from '../../../src/core/handler.ts';
import { enqueue } from '../../../src/core/jobs.ts';
import { listPage } from '../../../src/core/listing.ts';
import type * as contract from './contract.ts';
import { greetings, type GreetingRow } from './rows.ts';

export const listGreetings: Handler<typeof contract.listGreetings> = ({ tx, organization }, { query }) =>
  listPage(
    tx,
    { table: greetings, index: 'byOrganization', equals: [organization.id] },
    query,
    shapeGreeting,
  );

export const createGreeting: Handler<typeof contract.createGreeting> = async (context, { body }) => {
  const { tx, organization, now, newId } = context;
  const row = { id: newId('grt'), organization: organization.id, text: body.text, createdAt: now };
  await tx.insert(greetings, row);
  await enqueue(tx, now, { kind: 'greetings', organization: organization.id, subject: row.id });
  return shapeGreeting(row);
};

function shapeGreeting({ id, text }: GreetingRow): Static<typeof contract.Greeting> {
  return { object: 'greeting', id, text };
}
