import type { Outgoing, OutgoingRequest } from '../../../src/core/outgoing.ts';
import { createInstallation } from '../../../src/resources/integration-installations/contract.ts';
import { publishIntegration } from '../../../src/resources/integrations/contract.ts';
import type { InputOf, OutputOf } from '../../../src/contract/operation.ts';
import type { World } from '../../support/world.ts';

type Body = NonNullable<InputOf<typeof publishIntegration>['body']>;

export const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');

/** Publishes an integration of Acme as its administrator. */
export function publish(
  world: World,
  name = 'bot',
  body: Partial<Body> = {},
): Promise<OutputOf<typeof publishIntegration>> {
  const whole = {
    title: 'Bot',
    description: 'Tells of changes',
    scopes: ['space:content:read' as const],
    script: 'export default {}',
    organization: world.org,
    ...body,
  };
  return world.as('admin').call(publishIntegration, { params: { integrationName: name }, body: whole });
}

/** Installs an integration in Acme as its administrator. */
export function install(world: World, name = 'bot'): Promise<OutputOf<typeof createInstallation>> {
  return world
    .as('admin')
    .call(createInstallation, { params: { integrationName: name }, body: { organization: world.org } });
}

export interface Tunnel {
  readonly outgoing: Outgoing;
  /** The received requests, in order. */
  readonly requests: (OutgoingRequest & {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  })[];
}

/** Creates a tunnel that answers as the test says. */
export function tunnel(
  answer: (request: OutgoingRequest, count: number) => number | Promise<number> = () => 204,
  headers: Record<string, string> = {},
): Tunnel {
  const requests: Tunnel['requests'] = [];
  return {
    requests,
    outgoing: async (request) => {
      requests.push(request as Tunnel['requests'][number]);
      return {
        status: await answer(request, requests.length),
        headers,
        bytes: new Uint8Array(),
        url: request.url,
      };
    },
  };
}
