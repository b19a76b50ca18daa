import type { Static } from '../../contract/schema.ts';
import type { Handler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { listOnSpace } from '../integration-events/targets.ts';
import { shapeIntegration } from '../integrations/shape.ts';
import type { Block } from '../integrations/parts/contract.ts';
import type * as contract from './contract.ts';

export const listSpaceIntegrations: Handler<typeof contract.listSpaceIntegrations> = async (
  context,
  { query },
) => {
  const search = query.search?.toLowerCase() ?? '';
  const found = await listOnSpace(context.tx, context.space);
  const rows = found
    .map(({ integration }) => integration)
    .filter(({ id, looks }) =>
      `${id} ${(looks as { title?: string }).title ?? ''}`.toLowerCase().includes(search),
    );
  const page = pageOfArray(rows, query);
  return { ...page, items: await Promise.all(page.items.map((row) => shapeIntegration(context, row))) };
};

export const listSpaceBlocks: Handler<typeof contract.listSpaceBlocks> = async ({ tx, space }) => ({
  blocks: (await listOnSpace(tx, space)).flatMap(({ integration: { id, looks } }) =>
    ((looks as { readonly blocks?: readonly Static<typeof Block>[] }).blocks ?? []).map((block) => ({
      ...block,
      integration: id,
    })),
  ),
});
