import { table } from '../../core/store.ts';

/**
 * The state of a delivery. `ignored`: the integration has no handler for it; `dead`: given up; `no-endpoint`: nobody was
 * there to receive it.
 */
type DeliveryState = 'waiting' | 'delivered' | 'ignored' | 'dead' | 'no-endpoint';

export interface IntegrationEventRow {
  readonly id: string;
  readonly integration: string;
  /** Undefined for events about no installation. */
  readonly installation?: string | undefined;
  /** The organization of the installation, else the one that publishes the integration. */
  readonly organization: string;
  /** Its number among the events of its installation, which are delivered in this order. */
  readonly order: number;
  readonly payload: {
    readonly eventId: string;
    readonly type: string;
    readonly installationId?: string;
    readonly spaceId?: string;
    readonly siteId?: string;
    readonly [field: string]: unknown;
  };
  /** The id of the installation until the event is delivered or given up. */
  readonly queue?: string | undefined;
  readonly state: DeliveryState;
  /** Attempts so far. */
  readonly attempts: number;
  readonly dueAt?: string | undefined;
  /** The status of the last answer, and how many milliseconds the last attempt took. */
  readonly status?: number | undefined;
  readonly duration?: number | undefined;
  readonly error?: string | undefined;
  /** Who received the last attempt. */
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
