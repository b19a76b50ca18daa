import type { Static } from '../../contract/schema.ts';
import {
  getAgentInstructions,
  updateAgentInstructions,
  type AgentInstructions,
} from '../../resources/agent-instructions/contract.ts';
import { kind, type Body } from '../kind.ts';
import { callFor } from './fields.ts';
import { markdownField } from './markdown.ts';

/** Instructions for automated agents. Every organization has them. Initially they are empty. */
export const agentInstructions = kind<Static<typeof AgentInstructions> & Body>({
  name: 'agent-instructions',
  description: 'Instructions for AI agents that work in the organization. They are empty at first.',
  example: `
org:
  agents:
    instructions: |
      Write short sentences. Address the reader as "you".
`,
  slots: [{ field: 'org.agents', as: 'one' }],
  keys: [],
  fields: {
    instructions: markdownField(
      'the instructions, as Markdown; null: none',
      ({ instructions }) => instructions,
    ),
  },
  list: async (backend) => [{ ...(await callFor(backend, getAgentInstructions)), id: backend.organization }],
  calls: {
    update: {
      send: async (backend, at, fields) => void (await callFor(backend, updateAgentInstructions, at, fields)),
    },
  },
});
