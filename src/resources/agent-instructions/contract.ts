import { ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type, Url } from '../../contract/schema.ts';
import { RichDocument } from '../../contract/shapes.ts';

export const nounHelp: NounHelp = {
  description:
    'An organization can have instructions for the AI agents that work on its content, for example about tone and terms. ' +
    'Agents read the instructions through the API. Agents that use `docsctl mcp` get them together with the tools.',
  examples: [
    'docsctl agent-instructions get',
    'docsctl agent-instructions update --instructions "Answer in one paragraph."',
  ],
};

/** The instructions that an organization gives to automated agents. */
export const AgentInstructions = closed({
  object: Type.Literal('agent-instructions'),
  instructions: RichDocument,
  updatedAt: DateTime,
  updatedBy: Id,
  urls: closed({ location: Url }),
});

const columns = ['updatedAt', 'updatedBy'];

export const getAgentInstructions = operation({
  id: 'agent-instructions.get',
  route: 'GET /orgs/:organizationId/agent-instructions',
  summary: 'Show the instructions for AI agents',
  description: 'The text is empty if nobody has written instructions yet.',
  access: 'org.read',
  returns: ok(AgentInstructions),
  cli: { columns, examples: ['docsctl agent-instructions get', 'docsctl agent-instructions get -o json'] },
});

export const updateAgentInstructions = operation({
  id: 'agent-instructions.update',
  route: 'PUT /orgs/:organizationId/agent-instructions',
  summary: 'Replace the instructions for AI agents',
  access: 'org.admin',
  body: closed({ instructions: { ...RichDocument, description: 'new text of the instructions' } }),
  returns: ok(AgentInstructions),
  cli: {
    columns,
    examples: [
      'docsctl agent-instructions update --instructions @glossary.md',
      'docsctl agent-instructions update --instructions "Answer in one paragraph."',
    ],
  },
});
