import type { Api } from '../../contract/api.ts';
import { defined } from '../../contract/values.ts';
import { getIntegration, publishIntegration } from '../../resources/integrations/contract.ts';
import type { Desired } from '../desired.ts';
import type { LiveResource } from '../export/read-live.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import type { Omissions } from './copy.ts';

interface IntegrationsRequest {
  readonly desired: Desired;
  readonly live: readonly LiveResource[];
  readonly from: Api;
  readonly to: Api;
  readonly organization: string;
  readonly concurrency: number;
  readonly omissions: Omissions;
}

/** Integrations in a copy do nothing. */
const emptyScript = 'addEventListener("fetch", () => {});';

/** Publishes in a copy, without their scripts, the integrations that the organization or the manifest installs. */
export async function copyIntegrations(request: IntegrationsRequest): Promise<void> {
  const { desired, live, from, to, organization, concurrency, omissions } = request;
  const stated = [...desired.byAddress.values()].flatMap(({ kind, fields }) =>
    kind.name === 'integration' ? [fields.get('integration')?.value] : [],
  );
  const installed = live.flatMap(({ kind, values }) =>
    kind.name === 'integration' ? [values.get('integration')] : [],
  );
  const names = new Set([...stated, ...installed].map(String));
  await mapConcurrent([...names], concurrency, async (integrationName) => {
    const params = { integrationName };
    try {
      const found = await from.call(getIntegration, { params });
      const {
        title,
        summary,
        description = '',
        blocks,
        contentSources,
        configurations,
        target,
        scopes,
      } = found;
      await to.call(publishIntegration, {
        params,
        body: {
          title,
          description,
          target,
          scopes,
          organization,
          ...defined({ summary, blocks, contentSources, configurations }),
          script: emptyScript,
        },
      });
    } catch (error) {
      omissions.add('integration', integrationName, error);
    }
  });
}
