import { table } from '../../core/store.ts';

/**
 * The state of a delivery. `ignored`: the integration has no handler for the event; `dead`: given up; `no-endpoint`: there was no
 * recipient.
 */
type DeliveryState = 'waiting' | 'delivered' | 'ignored' | 'dead' | 'no-endpoint';

export interface IntegrationEventRow {
  readonly id: string;
  readonly integration: string;
  /** Undefined for events without an installation. */
  readonly installation?: string | undefined;
  /** The organization of the installation, or else the organization that publishes the integration. */
  readonly organization: string;
  /** The number of the event among the events of its installation, which are delivered in this order. */
  readonly order: number;
  readonly payload: {
    readonly eventId: string;
    readonly type: string;
    readonly installationId?: string;
    readonly spaceId?: string;
    readonly siteId?: string;
    readonly [field: string]: unknown;
  };
  /** The id of the installation, until the event is delivered or given up. */
  readonly queue?: string | undefined;
  readonly state: DeliveryState;
  /** The number of attempts so far. */
  readonly attempts: number;
  readonly dueAt?: string | undefined;
  /** The status of the last answer, and the duration of the last attempt in milliseconds. */
  readonly status?: number | undefined;
  readonly duration?: number | undefined;
  readonly error?: string | undefined;
  /** The recipient of the last attempt. */
  readonly receiver?: 'tunnel' | 'script' | 'nobody';
  readonly logs: readonly {
    readonly message: string;
    readonly timestamp: string;
    readonly level: 'debug' | 'info' | 'warn' | 'error';
  }[];
  readonly createdAt: string;
}

export const integrationEvents = table<IntegrationEventRow>()('integration_events', {
  byIntegration: { on: ['integration'], by: ['createdAt', 'order'] },
  byQueue: { on: ['queue'], by: ['order'], small: true },
});
