import type { Static } from '../../contract/schema.ts';
import {
  getAgentInstructions,
  updateAgentInstructions,
  type AgentInstructions,
} from '../../resources/agent-instructions/contract.ts';
import { kind, type Body } from '../kind.ts';
import { callFor } from './fields.ts';
import { markdownField } from './markdown.ts';

/** Instructions for automated agents. An organization always has them, empty at first. */
export const agentInstructions = kind<Static<typeof AgentInstructions> & Body>({
  name: 'agent-instructions',
  slots: [{ field: 'org.agents', as: 'one' }],
  keys: [],
  fields: { instructions: markdownField(({ instructions }) => instructions) },
  list: async (backend) => [{ ...(await callFor(backend, getAgentInstructions)), id: backend.organization }],
  calls: {
    update: {
      send: async (backend, at, fields) => void (await callFor(backend, updateAgentInstructions, at, fields)),
    },
  },
});
