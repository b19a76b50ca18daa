import { isRecord } from '../../../contract/values.ts';
import type { SpaceRow } from '../../../core/rows/spaces.ts';
import type { ReadTransaction } from '../../../core/store.ts';
import type { Recipient } from '../../integration-events/environment.ts';
import { listOnSpace } from '../../integration-events/targets.ts';

export interface DeclaredBlock {
  readonly id: string;
  readonly title: string;
  /** The language of the code blocks that the block draws, and the property that receives the code. */
  readonly code?: { readonly syntax: string; readonly property: string } | undefined;
}

export interface InstalledIntegration extends Recipient {
  readonly blocks: readonly DeclaredBlock[];
}

/** Finds the integrations that are installed on a space, with their blocks. */
export async function listInstalledBlocks(
  view: ReadTransaction,
  space: Pick<SpaceRow, 'id' | 'organization'>,
): Promise<InstalledIntegration[]> {
  const installed = await listOnSpace(view, space);
  return installed.map((one) => ({ ...one, blocks: blocksOf(one.integration.looks) }));
}

function blocksOf(looks: object): DeclaredBlock[] {
  const given = (looks as { blocks?: unknown }).blocks;
  return (Array.isArray(given) ? (given as unknown[]) : []).filter(isRecord).map((block) => {
    const markdown = isRecord(block['markdown']) ? block['markdown'] : undefined;
    return {
      id: String(block['id']),
      title: String(block['title']),
      code:
        markdown === undefined
          ? undefined
          : { syntax: String(markdown['codeblock']), property: String(markdown['body']) },
    };
  });
}
