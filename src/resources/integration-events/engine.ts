import { defined } from '../../contract/values.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import {
  installations,
  integrations,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { deliver, errorIn, tunnelOf, type DeliveryResult } from './deliver.ts';
import { noEndpointMessage } from './record.ts';
import { type SiteInstallationRow, type SpaceInstallationRow } from '../../core/rows/installed.ts';
import { findTarget } from './targets.ts';
import { integrationEvents, type IntegrationEventRow } from './rows.ts';

/** Seconds before each retry. After the last one, the event is given up and the next one is delivered. */
const retryPauses = [1, 2, 5, 10, 30, 60, 120, 300, 300] as const;
const maxPause = 300;
/** Maximum number of events of one installation, and maximum milliseconds for them, before other jobs run. */
const maxTurn = { events: 100, milliseconds: 60_000 };
/** Maximum number of log lines in the trace of an event. */
const maxLogs = 500;

interface PendingDelivery {
  readonly event: IntegrationEventRow;
  readonly integration: IntegrationRow;
  /** Undefined if the integration was uninstalled meanwhile. */
  readonly installation: InstallationRow | undefined;
  /** The installation on the space or site of the event, if it still exists. */
  readonly target: SpaceInstallationRow | SiteInstallationRow | undefined;
}
type Log = IntegrationEventRow['logs'][number];
interface DeliveryAttempt {
  /** Whether the integration has no handler for events of this type. */
  readonly isIgnored?: boolean;
  readonly status?: number;
  readonly error?: string;
  readonly isFinal?: boolean;
  /** The number of seconds that the tunnel asks to wait. */
  readonly retryAfter?: number;
}

/** Delivers the events of one installation in order. Repeats each event until it is accepted or given up. */
export const engine: Engine = {
  async run(context) {
    const end = Date.parse(context.now()) + maxTurn.milliseconds;
    let warning: string | undefined;
    for (let count = 0; count < maxTurn.events && Date.parse(context.now()) < end; count++) {
      const next = await context.read((view) => readNext(view, context.job.subject));
      if (next === undefined) return defined({ warning });
      if (next.event.dueAt !== undefined && next.event.dueAt > context.now())
        return defined({ repeatAt: next.event.dueAt, warning });
      const change = await attemptDelivery(context, next);
      if (change.state === 'dead')
        warning = `to ${next.integration.id}: ${next.event.payload.type} (${next.event.id}) was given up: ${change.error}`;
      await context.write(async (tx) => {
        const row = await tx.get(integrationEvents, next.event.id);
        // If the trace got another line meanwhile, a redelivery was requested, so the result is not stored.
        if (row?.logs.length === next.event.logs.length)
          await tx.update(integrationEvents, next.event.id, change);
      });
    }
    return defined({ repeatAt: context.now(), warning });
  },
};

async function readNext(view: ReadTransaction, queue: string): Promise<PendingDelivery | undefined> {
  const [event] = await view.find(integrationEvents, { index: 'byQueue', equals: [queue], limit: 1 });
  const integration = event === undefined ? undefined : await view.get(integrations, event.integration);
  if (event === undefined || integration === undefined) return undefined;
  const { installation: id } = event;
  const installation = id === undefined ? undefined : await view.get(installations, id);
  const isGone = event.payload.type.endsWith('_installation_deleted');
  const target = isGone ? undefined : await findTarget(view, { integration, installation }, event.payload);
  return { event, integration, installation, target };
}

async function attemptDelivery(
  context: JobContext,
  next: PendingDelivery,
): Promise<Partial<IntegrationEventRow>> {
  const { event, integration } = next;
  const noted: Log[] = [];
  const log = (timestamp: string, level: Log['level'], message: string) => ({
    logs: [...event.logs, ...noted, { message, timestamp, level }].slice(-maxLogs),
  });
  const done = { queue: undefined, dueAt: undefined };
  const tunnel = tunnelOf(integration, event.organization);
  context.progress(
    `${event.payload.type} to ${tunnel === undefined ? integration.id : new URL(tunnel).origin}`,
  );
  const began = context.now();
  const result = await deliver(
    context,
    {
      ...next,
      event: event.payload,
      removed: event.installation,
      attempt: event.attempts + 1,
    },
    event.organization,
  );
  const ended = context.now();
  if (result.receiver === 'nobody' && result.error === undefined)
    return { ...done, state: 'no-endpoint', ...log(ended, 'warn', noEndpointMessage) };
  noted.push(...result.logs);
  const { status, error, isFinal = false, isIgnored = false, retryAfter = 0 } = judge(result);
  const duration = Math.max(0, Date.parse(ended) - Date.parse(began));
  const attempts = event.attempts + 1;
  const outcome = { attempts, duration, status, error, receiver: result.receiver };
  if (isIgnored) {
    const message = `The integration does not handle events of the type ${event.payload.type}.`;
    return { ...outcome, ...done, state: 'ignored', ...log(ended, 'info', message) };
  }
  if (error === undefined) {
    const message = `Delivered: ${status} after ${duration} ms, at attempt ${attempts}`;
    return { ...outcome, ...done, state: 'delivered', ...log(ended, 'info', message) };
  }
  const pause = isFinal ? undefined : retryPauses[attempts - 1];
  if (pause === undefined) {
    const message = `${error} Gave up after attempt ${attempts}.`;
    return { ...outcome, ...done, state: 'dead', ...log(ended, 'error', message) };
  }
  const seconds = Math.max(pause, Math.min(maxPause, retryAfter));
  return {
    ...outcome,
    dueAt: new Date(Date.parse(ended) + seconds * 1000).toISOString(),
    ...log(ended, 'warn', `${error} Attempt ${attempts}; trying again in ${seconds} s.`),
  };
}

/**
 * Converts a result to changes of the event. A tunnel may be unreachable for a while, so it is tried again. A script is tried
 * again only if the runtime had no capacity, because otherwise it would fail again.
 */
function judge({
  receiver,
  answer,
  error,
  isTransient = false,
  retryAfter = 0,
}: DeliveryResult): DeliveryAttempt {
  if (answer === undefined || (receiver === 'script' && error !== undefined))
    return {
      error: error ?? 'There was no answer.',
      isFinal: !isTransient,
      ...defined({ status: answer?.status }),
    };
  const { status } = answer;
  if (status >= 200 && status < 300) return { status };
  if (status === 406) return { status, isIgnored: true };
  return receiver === 'tunnel'
    ? { status, error: `The tunnel answered ${status}.`, retryAfter }
    : { status, error: errorIn(answer), isFinal: true };
}
