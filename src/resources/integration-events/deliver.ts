import type { Services } from '../../core/handler.ts';
import { defined } from '../../contract/values.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import type { ScriptAnswer, ScriptMessage } from '../../core/scripts.ts';
import { readBlob } from '../../content/blobs.ts';
import { Problem } from '../../errors/problem.ts';
import { createEnvironment, type Recipient } from './environment.ts';
import { sendToTunnel, type TunnelResult } from './tunnel.ts';

export interface Delivery extends Recipient {
  readonly event: ScriptMessage['event'];
  readonly body?: Uint8Array | undefined;
  /** The number of the attempt, starting at 1 (default 1). */
  readonly attempt?: number;
  /** Called with the answer, while the script may still be working. */
  readonly onAnswer?: (answer: ScriptAnswer) => void;
}

type Receiver = 'tunnel' | 'script' | 'nobody';

export interface DeliveryResult extends TunnelResult {
  readonly receiver: Receiver;
}

/** Returns the URL of the development tunnel for messages about an organization; undefined if there is none. */
export function tunnelOf(
  { dev, organization }: IntegrationRow,
  about: string | undefined,
): string | undefined {
  return dev !== undefined && (dev.all || about === undefined || about === organization)
    ? dev.tunnelUrl
    : undefined;
}

/** Delivers a message to the development tunnel of an integration, or else to its script, and waits for the result. */
export async function deliver(
  services: Services,
  delivery: Delivery,
  about?: string,
): Promise<DeliveryResult> {
  try {
    return await send(services, delivery, about);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
    // The message is correct, but it cannot be delivered now. For example, the store has another key.
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
    ...defined({ signal, onAnswer }),
  });
  return result === undefined ? { receiver: 'nobody', logs: [] } : { ...result, receiver: 'script' };
}

/** Returns the error from the JSON of a script's answer: `{"error": message}`. */
export function errorIn({ status, body }: ScriptAnswer): string {
  let said: unknown;
  try {
    said = (JSON.parse(Buffer.from(body).toString()) as { error?: unknown }).error;
  } catch {
    // The answer is not JSON, so it has no such error.
  }
  return typeof said === 'string' && said !== ''
    ? `It answered ${status}: ${said.slice(0, 500)}`
    : `It answered ${status}.`;
}
