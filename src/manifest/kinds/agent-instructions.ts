import type { Static } from '../../contract/schema.ts';
import {
  getAgentInstructions,
  updateAgentInstructions,
  type AgentInstructions,
} from '../../resources/agent-instructions/contract.ts';
import { kind, type Body } from '../kind.ts';
import { markdownField } from './markdown.ts';

/** What automated agents are told about the organization: there is always one, empty at first. */
export const agentInstructions = kind<Static<typeof AgentInstructions> & Body>({
  name: 'agent-instructions',
  slots: [{ field: 'org.agents', as: 'one' }],
  keys: [],
  fields: { instructions: markdownField(({ instructions }) => instructions) },
  list: async (backend) => [
    {
      ...(await backend.call(getAgentInstructions, { params: { organizationId: backend.organization } })),
      id: backend.organization,
    },
  ],
  calls: {
    update: {
      send: async (backend, { id }, { instructions }) =>
        void (await backend.call(updateAgentInstructions, {
          params: { organizationId: id },
          body: { instructions: instructions as Static<typeof AgentInstructions>['instructions'] },
        })),
    },
  },
});
