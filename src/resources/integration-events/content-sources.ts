import { installations, integrations, type IntegrationRow } from '../../core/rows/integrations.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';

/** Whether an integration that computes pages is installed in an organization. */
export async function hasContentSources(view: ReadTransaction, organization: string): Promise<boolean> {
  for (const { status, integration } of await collectRows(view, installations, 'byOrganization', [
    organization,
  ])) {
    const row = status === 'active' ? await view.get(integrations, integration) : undefined;
    if (row !== undefined && isContentSource(row)) return true;
  }
  return false;
}

/** Whether an integration computes pages. */
export function isContentSource({ looks }: Pick<IntegrationRow, 'looks'>): boolean {
  return ((looks as { contentSources?: readonly unknown[] }).contentSources?.length ?? 0) > 0;
}
