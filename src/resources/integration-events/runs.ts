import type { Services } from '../../core/handler.ts';
import { defined } from '../../contract/values.ts';
import { continueInBackground } from '../../core/background.ts';
import type { ScriptAnswer, ScriptMessage } from '../../core/scripts.ts';
import { Problem } from '../../errors/problem.ts';
import { deliver, errorIn, type Delivery, type DeliveryResult } from './deliver.ts';
import { isStillOf } from '../integrations/tokens.ts';
import type { Recipient } from './environment.ts';
import { noEndpointMessage, removeExpired } from './record.ts';
import { integrationEvents, type IntegrationEventRow } from './rows.ts';

/** An event whose answer a caller waits for. Its ID is created when it is delivered. */
export interface LiveEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Maximum number of stored events of each integration, because answers to visitors are many. Events that wait for delivery are
 * not removed.
 */
const maxKept = 1000;

/** The result of a live event: an answer with any status, or the reason why there is none. */
interface LiveResult {
  readonly eventId: string;
  readonly answer?: ScriptAnswer;
  /** One sentence. Undefined without an answer: there was no recipient. */
  readonly error?: string | undefined;
  /** Whether the tunnel or the runtime could not be reached, so that the script itself did not fail. */
  readonly isUnreachable?: boolean;
}

/**
 * Delivers an event to an integration and returns its answer, whatever its status. The event is recorded with its trace when the
 * integration has finished.
 *
 * @throws Problem(unreachable) if there is no recipient; Problem(script-failed) if the script fails or is stopped
 */
export async function runLive(
  services: Services,
  recipient: Recipient,
  event: LiveEvent,
  body?: Uint8Array,
): Promise<ScriptAnswer> {
  const { eventId, answer, error, isUnreachable } = await deliverLive(services, recipient, event, body);
  if (answer !== undefined) return answer;
  if (error === undefined)
    throw new Problem(
      'unreachable',
      'The integration cannot answer: scripts are turned off on this server.',
      {
        hint: 'Unset DOCSCTL_INTEGRATION_RUNTIME, or turn development mode on with `docsctl integrations dev`.',
      },
    );
  throw new Problem(
    isUnreachable === true ? 'unreachable' : 'script-failed',
    `The integration "${recipient.integration.id}" did not answer. ${error}`,
    {
      hint: `Show the trace of the event: \`docsctl integrations events get ${eventId} --integration ${recipient.integration.id}\``,
    },
  );
}

/**
 * Delivers an event to an integration and waits for its answer. The event is recorded with its trace when the integration has
 * finished, which may be after its answer. `faultOf` returns the fault of an answer, for the trace.
 *
 * @throws Problem(interrupted) if the signal of the services is aborted
 */
export async function deliverLive(
  services: Services,
  recipient: Recipient,
  event: LiveEvent,
  body?: Uint8Array,
  faultOf: (answer: ScriptAnswer) => string | undefined = () => undefined,
): Promise<LiveResult> {
  const eventId = services.newId('evt');
  const { installation } = recipient;
  const whole = {
    eventId,
    ...defined({ installationId: installation?.id }),
    ...event,
  };
  const began = services.now();
  let onAnswer: NonNullable<Delivery['onAnswer']> = () => undefined;
  const answered = new Promise<ScriptAnswer>((resolve) => (onAnswer = resolve));
  const keep = (result: DeliveryResult) =>
    record(services, recipient, { event: whole, began, result, faultOf });
  const finished = deliver(services, { ...recipient, event: whole, body, onAnswer }).then(
    async (result) => {
      await keep(result);
      return result;
    },
    async (error: unknown) => {
      if (error instanceof Problem && error.reason === 'interrupted')
        await keep({ receiver: 'script', error: 'Nobody waited for the answer any longer.', logs: [] });
      throw error;
    },
  );
  continueInBackground(services, finished);
  const first = await Promise.race([answered, finished]);
  if ('status' in first) return { eventId, answer: first };
  const { answer, error, receiver, isTransient = false } = first;
  if (answer !== undefined && error === undefined) return { eventId, answer };
  if (receiver === 'nobody' && error === undefined) return { eventId };
  return {
    eventId,
    error: error ?? 'There was no answer.',
    isUnreachable: isTransient || receiver === 'tunnel',
  };
}

/** Fields of events that are not recorded, because they may contain private data: headers, cookies, content. */
const privateFields = new Set([
  'request',
  'cookies',
  'searchParams',
  'props',
  'state',
  'context',
  'action',
  'auth',
  'dependencies',
]);

async function record(
  services: Services,
  { integration, installation }: Recipient,
  {
    event,
    began,
    result,
    faultOf,
  }: {
    event: ScriptMessage['event'];
    began: string;
    result: DeliveryResult;
    faultOf: (answer: ScriptAnswer) => string | undefined;
  },
): Promise<void> {
  const { receiver, answer, logs } = result;
  const ended = services.now();
  const failure =
    result.error ??
    (answer === undefined ? undefined : answer.status >= 500 ? errorIn(answer) : faultOf(answer));
  const isNobody = receiver === 'nobody' && result.error === undefined;
  const message = isNobody ? noEndpointMessage : (failure ?? `Answered: ${answer?.status}`);
  const request = event['request'] as { method?: string; url?: string } | undefined;
  const row: IntegrationEventRow = {
    id: event.eventId,
    integration: integration.id,
    ...defined({ installation: installation?.id }),
    organization: installation?.organization ?? integration.organization,
    order: 0,
    payload: {
      ...Object.fromEntries(Object.entries(event).filter(([name]) => !privateFields.has(name))),
      eventId: event.eventId,
      type: event.type,
      ...(request === undefined
        ? {}
        : { request: { method: request.method, url: request.url?.split('?')[0], headers: {} } }),
    },
    state: isNobody ? 'no-endpoint' : failure === undefined ? 'delivered' : 'dead',
    attempts: isNobody ? 0 : 1,
    receiver,
    ...defined({ status: answer?.status }),
    duration: Math.max(0, Date.parse(ended) - Date.parse(began)),
    ...defined({ error: failure }),
    logs: [
      ...logs,
      {
        message,
        timestamp: ended,
        level: failure === undefined ? ('info' as const) : ('error' as const),
      },
    ],
    createdAt: began,
  };
  await services.write(async (tx) => {
    // Otherwise, the integration was deleted meanwhile, with its events.
    if (!(await isStillOf(tx, integration))) return;
    await tx.insert(integrationEvents, row);
    await removeExpired(tx, integration.id, ended, maxKept);
  });
}
