import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { Services } from '../../core/handler.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import type { ScriptMessage, ScriptResult } from '../../core/scripts.ts';
import { openSigningSecret } from '../integrations/signing.ts';
import { createForm, maxMessageBytes, signForm } from './message.ts';

/** Maximum size of the answer of a tunnel, in bytes. */
const maxAnswerBytes = 5 * 1024 * 1024;

/** The result of a tunnel. */
export interface TunnelResult extends ScriptResult {
  /** The number of seconds that the tunnel asks to wait. */
  readonly retryAfter?: number;
}

/** Sends a message to the tunnel of an integration: the signed form that the developer's runtime reads. */
export async function sendToTunnel(
  services: Services,
  {
    url,
    integration,
    message,
    attempt,
  }: {
    url: string;
    integration: IntegrationRow;
    message: ScriptMessage;
    /** The number of the attempt, starting at 1. */
    attempt: number;
  },
): Promise<TunnelResult> {
  const id = message.event.eventId;
  const form = createForm(id, message);
  if (Buffer.byteLength(form.body) - (message.body?.length ?? 0) > maxMessageBytes)
    return { error: `The message is larger than ${maxMessageBytes / 1024} KiB.`, logs: [] };
  try {
    const headers = signForm(form, {
      id,
      attempt,
      now: Math.floor(Date.parse(services.now()) / 1000),
      secret: await openSigningSecret(services, integration),
    });
    const { signal } = services;
    const answer = await services.outgoing({
      url,
      method: 'POST',
      headers,
      body: form.body,
      maxRedirects: 0,
      maxBytes: maxAnswerBytes,
      timeout: 10_000,
      ...defined({ signal }),
    });
    return {
      answer: { status: answer.status, headers: Object.entries(answer.headers), body: answer.bytes },
      retryAfter: Number(answer.headers['retry-after'] ?? 0) || 0,
      logs: [],
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
    return { error: error.message, isTransient: error.reason !== 'forbidden', logs: [] };
  }
}
