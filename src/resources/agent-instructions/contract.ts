import { ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type, Url } from '../../contract/schema.ts';
import { RichDocument } from '../../contract/shapes.ts';

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
  summary: 'Show the instructions for agents',
  description: 'An empty document until somebody writes them.',
  access: 'org.read',
  returns: ok(AgentInstructions),
  cli: { columns },
});

export const updateAgentInstructions = operation({
  id: 'agent-instructions.update',
  route: 'PUT /orgs/:organizationId/agent-instructions',
  summary: 'Write the instructions for agents',
  access: 'org.admin',
  body: closed({ instructions: RichDocument }),
  returns: ok(AgentInstructions),
  cli: { columns, examples: ['docsctl agent-instructions update --instructions @agents.md'] },
});
