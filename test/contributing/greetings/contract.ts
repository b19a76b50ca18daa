import { created, listOf, operation, type NounHelp } from '../../../src/contract/operation.ts';
import { closed, Id, Type } from '../../../src/contract/schema.ts';

export const nounHelp: NounHelp = {
  description: 'A greeting is a line of text that an organization shows to its visitors.',
  examples: ['docsctl greetings list'],
};

const Text = Type.String({ minLength: 1, maxLength: 200, description: 'text of the greeting' });

/** A greeting in answers. */
export const Greeting = closed({
  object: Type.Literal('greeting'),
  id: Id,
  text: Text,
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
  body: closed({ text: Text }),
  returns: created(Greeting),
  cli: { columns: ['text', 'id'], examples: ['docsctl greetings create --text "Good morning"'] },
});
