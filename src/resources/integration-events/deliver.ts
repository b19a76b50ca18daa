import type { Services } from '../../core/handler.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import type { ScriptAnswer, ScriptMessage } from '../../core/scripts.ts';
import { readBlob } from '../../content/blobs.ts';
import { Problem } from '../../errors/problem.ts';
import { createEnvironment, type Recipient } from './environment.ts';
import { sendToTunnel, type TunnelResult } from './tunnel.ts';

export interface Delivery extends Recipient {
  readonly event: ScriptMessage['event'];
  readonly body?: Uint8Array | undefined;
  /** Counts from 1 (default 1). */
  readonly attempt?: number;
  /** Called with the answer, before work that the script goes on with has ended. */
  readonly onAnswer?: (answer: ScriptAnswer) => void;
}

type Receiver = 'tunnel' | 'script' | 'nobody';

export interface DeliveryResult extends TunnelResult {
  readonly receiver: Receiver;
}

/** The URL that messages about an organization are sent to during development; undefined for none. */
export function tunnelOf(
  { dev, organization }: IntegrationRow,
  about: string | undefined,
): string | undefined {
  return dev !== undefined && (dev.all || about === undefined || about === organization)
    ? dev.tunnelUrl
    : undefined;
}

/** Gives a message to the tunnel of an integration during development, else to its script, and waits for the result. */
export async function deliver(
  services: Services,
  delivery: Delivery,
  about?: string,
): Promise<DeliveryResult> {
  try {
    return await send(services, delivery, about);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
    // Nothing is wrong with the message: the store has another key, for example.
    return { receiver: 'nobody', error: error.message, isTransient: true, logs: [] };
  }
}

async function send(services: Services, delivery: Delivery, about?: string): Promise<DeliveryResult> {
  const { integration, installation, event, body, attempt = 1, onAnswer } = delivery;
  const url = tunnelOf(integration, about ?? installation?.organization);
  const { scripts, signal } = services;
  if (url === undefined && scripts === undefined) return { receiver: 'nobody', logs: [] };
  const message = { event, environment: await createEnvironment(services, delivery), body };
  if (url !== undefined) {
    const result = await sendToTunnel(services, { url, integration, message, attempt });
    if (result.answer !== undefined) onAnswer?.(result.answer);
    return { ...result, receiver: 'tunnel' };
  }
  const result = await scripts?.run({
    integration: integration.id,
    installation: installation?.id,
    version: `${integration.version} ${integration.updatedAt} ${installation?.updatedAt ?? ''}`,
    form: integration.runtime,
    script: () => services.read((view) => readBlob(view, integration.script)),
    message,
    ...(signal === undefined ? {} : { signal }),
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });
  return result === undefined ? { receiver: 'nobody', logs: [] } : { ...result, receiver: 'script' };
}

/** The error that an answer of a script says in its JSON: `{"error": message}`. */
export function errorIn({ status, body }: ScriptAnswer): string {
  let said: unknown;
  try {
    said = (JSON.parse(Buffer.from(body).toString()) as { error?: unknown }).error;
  } catch {
    // It is not the runtime that speaks.
  }
  return typeof said === 'string' && said !== ''
    ? `It answered ${status}: ${said.slice(0, 500)}`
    : `It answered ${status}.`;
}
