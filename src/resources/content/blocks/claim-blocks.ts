import type { BlockSource } from '../../../contentkit/document-blocks.ts';
import type { DeclaredBlock, InstalledIntegration } from './installed-blocks.ts';

interface BlockOnPage {
  readonly source: BlockSource;
  readonly integration: string;
  readonly block: string;
  /** The title of the block, if known. */
  readonly title: string;
}
/** A block that a script can draw. */
export type RunnableBlock = BlockOnPage & {
  readonly recipient: InstalledIntegration;
  readonly props: Readonly<Record<string, unknown>>;
};
/** A block of an integration, with the reason if no script can draw it. */
export type ClaimedBlock = RunnableBlock | (BlockOnPage & { readonly problem: string });

/** Finds the integration that draws a block. Returns an empty list for a code block that no integration draws. */
export function claim(source: BlockSource, installed: readonly InstalledIntegration[]): ClaimedBlock[] {
  if (source.kind === 'code') {
    for (const recipient of installed)
      for (const { id, title, code } of recipient.blocks)
        if (code?.syntax === source.syntax) {
          const props = { [code.property]: source.content };
          return [{ source, integration: recipient.integration.id, block: id, title, recipient, props }];
        }
    return [];
  }
  const { integration, block: id, props } = source;
  const recipient = installed.find((one) => one.integration.id === integration);
  const declared: DeclaredBlock | undefined = recipient?.blocks.find((one) => one.id === id);
  const place = { source, integration, block: id, title: declared?.title ?? `${integration}/${id}` };
  if (recipient === undefined)
    return [{ ...place, problem: `The integration "${integration}" is not installed on this space.` }];
  if (declared === undefined)
    return [{ ...place, problem: `The integration "${integration}" has no block "${id}".` }];
  return [{ ...place, recipient, props }];
}
