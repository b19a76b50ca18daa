import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { listOnSpace } from '../integration-events/targets.ts';
import { pageOfInstalled } from '../integrations/installed.ts';
import type { Block } from '../integrations/parts/contract.ts';
import type * as contract from './contract.ts';

export const listSpaceIntegrations: Handler<typeof contract.listSpaceIntegrations> = async (
  context,
  { query },
) => pageOfInstalled(context, await listOnSpace(context.tx, context.space), query);

export const listSpaceBlocks: Handler<typeof contract.listSpaceBlocks> = async ({ tx, space }) => ({
  blocks: (await listOnSpace(tx, space)).flatMap(({ integration: { id, looks } }) =>
    ((looks as { blocks?: readonly Static<typeof Block>[] }).blocks ?? []).map((block) => ({
      ...block,
      integration: id,
    })),
  ),
});
