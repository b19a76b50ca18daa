import type { Engine, JobContext } from '../../core/jobs.ts';
import {
  installations,
  integrations,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { openSigningSecret } from '../integrations/signing.ts';
import { createForm, maxMessageBytes, signForm } from './message.ts';
import { endpointOf, noEndpointMessage } from './record.ts';
import {
  targetInstallationId,
  siteInstallations,
  spaceInstallations,
  type SiteInstallationRow,
  type SpaceInstallationRow,
} from '../integration-installations/rows.ts';
import { integrationEvents, type IntegrationEventRow } from './rows.ts';

/** Seconds before each further attempt. After the last one an event is given up, and the next one is delivered. */
const retryPauses = [1, 2, 5, 10, 30, 60, 120, 300, 300] as const;
const maxPause = 300;
/** Events in a row for one installation, and milliseconds for them, before other jobs run. */
const maxTurn = { events: 100, milliseconds: 60_000 };
/** Bytes of an answer. Only its status counts. */
const maxAnswerBytes = 64 * 1024;

interface PendingDelivery {
  readonly event: IntegrationEventRow;
  readonly integration: IntegrationRow;
  /** Undefined when it was uninstalled meanwhile. */
  readonly installation: InstallationRow | undefined;
  /** The installation on the space or site that the event concerns, where it still exists. */
  readonly target: SpaceInstallationRow | SiteInstallationRow | undefined;
}
type Log = IntegrationEventRow['logs'][number];
interface DeliveryAttempt {
  readonly status?: number;
  readonly error?: string;
  readonly isFinal?: boolean;
  /** Seconds that the tunnel asks for. */
  readonly retryAfter?: number;
}

/** Delivers the events of one installation in their order, each until it is accepted or given up. */
export const engine: Engine = {
  async run(context) {
    const end = Date.parse(context.now()) + maxTurn.milliseconds;
    for (let count = 0; count < maxTurn.events && Date.parse(context.now()) < end; count++) {
      const next = await context.read((view) => readNext(view, context.job.subject));
      if (next === undefined) return undefined;
      if (next.event.dueAt !== undefined && next.event.dueAt > context.now())
        return { repeatAt: next.event.dueAt };
      const change = await attemptDelivery(context, next);
      await context.write(async (tx) => {
        if ((await tx.get(integrationEvents, next.event.id)) !== undefined)
          await tx.update(integrationEvents, next.event.id, change);
      });
    }
    return { repeatAt: context.now() };
  },
};

async function readNext(view: ReadTransaction, id: string): Promise<PendingDelivery | undefined> {
  const [event] = await view.find(integrationEvents, { index: 'byQueue', equals: [id], limit: 1 });
  const integration = event === undefined ? undefined : await view.get(integrations, event.integration);
  if (event === undefined || integration === undefined) return undefined;
  return {
    event,
    integration,
    installation: await view.get(installations, id),
    target: await readTarget(view, id, event.payload),
  };
}

async function readTarget(
  view: ReadTransaction,
  installation: string,
  { spaceId, siteId }: IntegrationEventRow['payload'],
): Promise<PendingDelivery['target']> {
  if (spaceId !== undefined) return view.get(spaceInstallations, targetInstallationId(installation, spaceId));
  return siteId === undefined
    ? undefined
    : view.get(siteInstallations, targetInstallationId(installation, siteId));
}

async function attemptDelivery(
  context: JobContext,
  next: PendingDelivery,
): Promise<Partial<IntegrationEventRow>> {
  const { event, integration } = next;
  const url = endpointOf(integration, event);
  const log = (timestamp: string, level: Log['level'], message: string) => ({
    logs: [...event.logs, { message, timestamp, level }],
  });
  const done = { queue: undefined, dueAt: undefined };
  if (url === undefined)
    return { ...done, state: 'no-endpoint', ...log(context.now(), 'info', noEndpointMessage) };
  context.progress(`${event.payload.type} to ${new URL(url).origin}`);
  const began = context.now();
  const { status, error, isFinal = false, retryAfter = 0 } = await send(context, next, url);
  const ended = context.now();
  const duration = Math.max(0, Date.parse(ended) - Date.parse(began));
  const attempts = event.attempts + 1;
  const result = { attempts, duration, status, error };
  if (error === undefined) {
    const message = `Delivered: ${status} after ${duration} ms, at attempt ${attempts}`;
    return { ...result, ...done, state: 'delivered', ...log(ended, 'info', message) };
  }
  const pause = isFinal ? undefined : retryPauses[attempts - 1];
  if (pause === undefined) {
    const message = `${error} Gave up after attempt ${attempts}.`;
    return { ...result, ...done, state: 'dead', ...log(ended, 'error', message) };
  }
  const seconds = Math.max(pause, Math.min(maxPause, retryAfter));
  return {
    ...result,
    dueAt: new Date(Date.parse(ended) + seconds * 1000).toISOString(),
    ...log(ended, 'warn', `${error} Attempt ${attempts}; trying again in ${seconds} s.`),
  };
}

async function send(
  context: JobContext,
  { event, integration, installation, target }: PendingDelivery,
  url: string,
): Promise<DeliveryAttempt> {
  const { id, payload } = event;
  const environment = {
    apiEndpoint: context.url(''),
    integration: { name: integration.id, version: integration.version },
    installation:
      installation === undefined
        ? { id: event.installation }
        : { id: installation.id, status: installation.status, configuration: installation.configuration },
    ...(target === undefined ? {} : describeTarget(target)),
  };
  const form = createForm(id, { event: payload, environment });
  if (Buffer.byteLength(form.body) > maxMessageBytes)
    return { error: `The message is larger than ${maxMessageBytes / 1024} KiB.`, isFinal: true };
  try {
    const headers = signForm(form, {
      id,
      attempt: event.attempts + 1,
      now: Math.floor(Date.parse(context.now()) / 1000),
      secret: await openSigningSecret(context, integration),
    });
    const answer = await context.outgoing({
      url,
      method: 'POST',
      headers,
      body: form.body,
      maxRedirects: 0,
      maxBytes: maxAnswerBytes,
      timeout: 10_000,
      signal: context.signal,
    });
    if (answer.status >= 200 && answer.status < 300) return { status: answer.status };
    return {
      status: answer.status,
      error: `The tunnel answered ${answer.status}.`,
      retryAfter: Number(answer.headers['retry-after'] ?? 0) || 0,
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
    return { error: error.message, isFinal: error.reason === 'forbidden' };
  }
}

function describeTarget(target: SpaceInstallationRow | SiteInstallationRow): object {
  const { integration, installation, status, configuration, externalIds } = target;
  const base = { integration, installation, status, configuration, externalIds };
  return 'space' in target
    ? { spaceInstallation: { ...base, space: target.space } }
    : { siteInstallation: { ...base, site: target.site } };
}
