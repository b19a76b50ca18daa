import { created, listOf, operation } from '../../../src/contract/operation.ts';
import { closed, Id, Type } from '../../../src/contract/schema.ts';

/** A line of text that an organization greets visitors with. */
export const Greeting = closed({
  object: Type.Literal('greeting'),
  id: Id,
  text: Type.String({ minLength: 1, maxLength: 200 }),
});

export const listGreetings = operation({
  id: 'greetings.list',
  route: 'GET /orgs/:organizationId/greetings',
  summary: 'List the greetings of an organization',
  access: 'org.read',
  returns: listOf(Greeting),
  cli: { columns: ['text', 'id'] },
});

export const createGreeting = operation({
  id: 'greetings.create',
  route: 'POST /orgs/:organizationId/greetings',
  summary: 'Create a greeting',
  access: 'org.edit',
  body: closed({ text: Type.String({ minLength: 1, maxLength: 200 }) }),
  returns: created(Greeting),
  cli: { columns: ['text', 'id'], examples: ['docsctl greetings create --text "Good morning"'] },
});
