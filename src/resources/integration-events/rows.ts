import { table } from '../../core/store.ts';

/** How the delivery of an event stands; `dead`: given up; `no-endpoint`: nobody takes events of this integration. */
export type DeliveryState = 'waiting' | 'delivered' | 'dead' | 'no-endpoint';

/** Something an integration is told, and how that went. */
export interface IntegrationEventRow {
  readonly id: string;
  readonly integration: string;
  readonly installation: string;
  /** The organization of the installation. */
  readonly organization: string;
  /** Its number among the events of its installation: the order they are delivered in. */
  readonly order: number;
  readonly payload: {
    readonly eventId: string;
    readonly type: string;
    readonly installationId: string;
    readonly spaceId?: string;
    readonly siteId?: string;
  };
  /** The id of the installation as long as it waits to be delivered. */
  readonly queue?: string | undefined;
  readonly state: DeliveryState;
  /** Tries so far. */
  readonly attempts: number;
  /** When it is tried again. */
  readonly dueAt?: string | undefined;
  /** How the last try went: status of the answer, and milliseconds. */
  readonly status?: number | undefined;
  readonly duration?: number | undefined;
  readonly error?: string | undefined;
  readonly logs: readonly {
    readonly message: string;
    readonly timestamp: string;
    readonly level: 'debug' | 'info' | 'warn' | 'error';
  }[];
  readonly createdAt: string;
}

export const integrationEvents = table<IntegrationEventRow>()('integration_events', {
  byIntegration: { on: ['integration'], by: ['createdAt', 'order'] },
  byQueue: { on: ['queue'], by: ['order'] },
});
