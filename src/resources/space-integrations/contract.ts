import { listOf, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, Type } from '../../contract/schema.ts';
import { Integration } from '../integrations/contract.ts';
import { Block, installedColumns, Name, search } from '../integrations/parts/contract.ts';

export const nounHelp: NounHelp = {
  description:
    'An integration works on a space if it is installed on the space, or if its installation covers all spaces of the organization.',
  examples: ['docsctl spaces integrations list Guide'],
};

export const listSpaceIntegrations = operation({
  id: 'spaces.integrations.list',
  route: 'GET /spaces/:spaceId/integrations',
  summary: 'List the integrations that work on a space',
  access: 'space.read',
  query: { search },
  returns: listOf(Integration),
  cli: {
    columns: installedColumns,
    examples: ['docsctl spaces integrations list Guide'],
  },
});

export const listSpaceBlocks = operation({
  id: 'spaces.integrations.blocks',
  route: 'GET /spaces/:spaceId/integration-blocks',
  summary: 'List the blocks that integrations add to a space',
  access: 'space.read',
  returns: ok(closed({ blocks: Type.Array(closed({ ...Block.properties, integration: Name })) })),
  cli: { columns: ['blocks'], examples: ['docsctl spaces integrations blocks Guide'] },
});
