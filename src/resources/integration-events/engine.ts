import type { Engine, JobContext } from '../../core/jobs.ts';
import {
  installations,
  integrations,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { signingSecretOf } from '../integrations/signing.ts';
import { formOf, mostBytes, signMessage } from './message.ts';
import { endpointOf, noEndpoint } from './record.ts';
import {
  placeId,
  siteInstallations,
  spaceInstallations,
  type SiteInstallationRow,
  type SpaceInstallationRow,
} from '../integration-installations/rows.ts';
import { integrationEvents, type IntegrationEventRow } from './rows.ts';

/** Seconds before each further try; after the last one an event is given up, and the next has its turn. */
const pauses = [1, 2, 5, 10, 30, 60, 120, 300, 300] as const;
const longestPause = 300;
/** Events in a row for one installation, and milliseconds for them, before others have their turn. */
const turn = { events: 100, milliseconds: 60_000 };
/** Of the answer only its status counts. */
const answerBytes = 64 * 1024;

interface Next {
  readonly event: IntegrationEventRow;
  readonly integration: IntegrationRow;
  /** Undefined when it was uninstalled meanwhile. */
  readonly installation: InstallationRow | undefined;
  /** Where the event is of one space or site, and the integration is installed there. */
  readonly place: SpaceInstallationRow | SiteInstallationRow | undefined;
}
type Log = IntegrationEventRow['logs'][number];
type Try = {
  readonly status?: number;
  readonly error?: string;
  readonly isFinal?: true;
  readonly retryAfter?: number;
};

/** Delivers the events of one installation, in their order, each until it is taken or given up. */
export const engine: Engine = {
  async run(context) {
    const end = Date.parse(context.now()) + turn.milliseconds;
    for (let count = 0; count < turn.events && Date.parse(context.now()) < end; count++) {
      const next = await context.read((view) => nextOf(view, context.job.subject));
      if (next === undefined) return undefined;
      if (next.event.dueAt !== undefined && next.event.dueAt > context.now())
        return { repeatAt: next.event.dueAt };
      const change = await attempt(context, next);
      await context.write(async (tx) => {
        if ((await tx.get(integrationEvents, next.event.id)) !== undefined)
          await tx.update(integrationEvents, next.event.id, change);
      });
    }
    return { repeatAt: context.now() };
  },
};

async function nextOf(view: ReadTransaction, id: string): Promise<Next | undefined> {
  const [event] = await view.find(integrationEvents, { index: 'byQueue', equals: [id], limit: 1 });
  const integration = event === undefined ? undefined : await view.get(integrations, event.integration);
  if (event === undefined || integration === undefined) return undefined;
  return {
    event,
    integration,
    installation: await view.get(installations, id),
    place: await placeOf(view, id, event.payload),
  };
}

async function placeOf(
  view: ReadTransaction,
  installation: string,
  { spaceId, siteId }: { readonly spaceId?: string; readonly siteId?: string },
): Promise<Next['place']> {
  if (spaceId !== undefined) return view.get(spaceInstallations, placeId(installation, spaceId));
  return siteId === undefined ? undefined : view.get(siteInstallations, placeId(installation, siteId));
}

async function attempt(context: JobContext, next: Next): Promise<Partial<IntegrationEventRow>> {
  const { event, integration } = next;
  const url = endpointOf(integration, event);
  if (url === undefined)
    return {
      state: 'no-endpoint',
      queue: undefined,
      dueAt: undefined,
      ...logged(event, context.now(), noEndpoint, 'info'),
    };
  context.progress(`${event.payload.type} to ${new URL(url).origin}`);
  const began = context.now();
  const { status, error, isFinal, retryAfter = 0 } = await send(context, next, url);
  const ended = context.now();
  const duration = Math.max(0, Date.parse(ended) - Date.parse(began));
  const attempts = event.attempts + 1;
  const tried = { attempts, duration, status, error };
  if (error === undefined)
    return {
      ...tried,
      state: 'delivered',
      queue: undefined,
      dueAt: undefined,
      ...logged(event, ended, `Delivered: ${status} after ${duration} ms, at try ${attempts}`, 'info'),
    };
  const pause = isFinal === true ? undefined : pauses[attempts - 1];
  if (pause === undefined)
    return {
      ...tried,
      state: 'dead',
      queue: undefined,
      dueAt: undefined,
      ...logged(event, ended, `${error} That was try ${attempts}, and the last.`, 'error'),
    };
  const seconds = Math.max(pause, Math.min(longestPause, retryAfter));
  return {
    ...tried,
    dueAt: new Date(Date.parse(ended) + seconds * 1000).toISOString(),
    ...logged(event, ended, `${error} Try ${attempts}; the next in ${seconds} s.`, 'warn'),
  };
}

async function send(
  context: JobContext,
  { event, integration, installation, place }: Next,
  url: string,
): Promise<Try> {
  const { id, payload } = event;
  const environment = {
    apiEndpoint: context.url(''),
    integration: { name: integration.id, version: integration.version },
    installation:
      installation === undefined
        ? { id: event.installation }
        : { id: installation.id, status: installation.status, configuration: installation.configuration },
    ...(place === undefined ? {} : environmentOf(place)),
  };
  const form = formOf(id, { event: payload, environment });
  if (Buffer.byteLength(form.body) > mostBytes)
    return { error: `The message would have more than ${mostBytes / 1024} KiB.`, isFinal: true };
  try {
    const secret = await signingSecretOf(context, integration);
    const { headers, body } = signMessage({
      id,
      attempt: event.attempts + 1,
      now: Math.floor(Date.parse(context.now()) / 1000),
      secret,
      form,
    });
    const answer = await context.outgoing({
      url,
      method: 'POST',
      headers,
      body,
      maxRedirects: 0,
      maxBytes: answerBytes,
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
    return { error: error.message, ...(error.reason === 'forbidden' ? { isFinal: true } : {}) };
  }
}

function environmentOf(place: SpaceInstallationRow | SiteInstallationRow): object {
  const { integration, installation, status, configuration, externalIds } = place;
  const base = { integration, installation, status, configuration, externalIds };
  return 'space' in place
    ? { spaceInstallation: { ...base, space: place.space } }
    : { siteInstallation: { ...base, site: place.site } };
}

function logged(
  { logs }: IntegrationEventRow,
  timestamp: string,
  message: string,
  level: Log['level'],
): { logs: Log[] } {
  return { logs: [...logs, { message, timestamp, level }] };
}
