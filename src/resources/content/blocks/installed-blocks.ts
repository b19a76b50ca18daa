import { isRecord } from '../../../contract/values.ts';
import type { SpaceRow } from '../../../core/rows/spaces.ts';
import { installations, integrations } from '../../../core/rows/integrations.ts';
import { collectRows, type ReadTransaction } from '../../../core/store.ts';
import type { Recipient } from '../../integration-events/environment.ts';
import { findTarget } from '../../integration-events/targets.ts';

/** A block that an integration declares. */
export interface DeclaredBlock {
  readonly id: string;
  readonly title: string;
  /** The language of blocks of code that it draws, and the property that gets the code. */
  readonly code?: { readonly syntax: string; readonly property: string } | undefined;
}

/** An integration that works on a space, with its blocks. */
export interface InstalledIntegration extends Recipient {
  readonly blocks: readonly DeclaredBlock[];
}

/** Finds the integrations that work on a space: those installed on it, and those installed on all spaces. */
export async function listInstalledBlocks(
  view: ReadTransaction,
  space: Pick<SpaceRow, 'id' | 'organization'>,
): Promise<InstalledIntegration[]> {
  const found: InstalledIntegration[] = [];
  for (const installation of await collectRows(view, installations, 'byOrganization', [space.organization])) {
    const integration = await view.get(integrations, installation.integration);
    if (installation.status !== 'active' || integration === undefined) continue;
    const target = await findTarget(view, installation.id, { spaceId: space.id });
    const isEverywhere =
      installation.spaceSelection === 'all' && ['all', 'space'].includes(integration.target);
    if (target === undefined ? !isEverywhere : target.status !== 'active') continue;
    found.push({ integration, installation, target, blocks: blocksOf(integration.looks) });
  }
  return found;
}

function blocksOf(looks: object): DeclaredBlock[] {
  const given = (looks as { readonly blocks?: unknown }).blocks;
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
