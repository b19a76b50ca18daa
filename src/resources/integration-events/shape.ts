import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { IntegrationEvent } from './contract.ts';
import type { IntegrationEventRow } from './rows.ts';

/** Returns an event in the form of the API. */
export function shapeEvent({
  id,
  integration,
  installation,
  createdAt,
  payload,
  state,
  attempts,
  status,
  duration,
  error,
  dueAt,
  receiver,
}: IntegrationEventRow): Static<typeof IntegrationEvent> {
  return {
    id,
    integrationId: integration,
    ...defined({ installationId: installation }),
    createdAt,
    payload: payload as Static<typeof IntegrationEvent>['payload'],
    status: state === 'delivered' || state === 'ignored' ? 'success' : 'failed',
    delivery: {
      state,
      attempts,
      ...defined({
        receiver,
        status,
        duration,
        error,
        nextAttemptAt: state === 'waiting' ? dueAt : undefined,
      }),
    },
  };
}
