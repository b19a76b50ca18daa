import type { Component } from '../../../contentkit/elements.ts';
import { readRendered } from '../../../contentkit/read-component.ts';
import { isRecord, recordOf } from '../../../contract/values.ts';
import type { Services } from '../../../core/handler.ts';
import type { ScriptAnswer } from '../../../core/scripts.ts';
import { errorIn } from '../../integration-events/deliver.ts';
import { deliverLive, type LiveEvent } from '../../integration-events/runs.ts';
import type { InstalledIntegration } from './installed-blocks.ts';

/**
 * The answer of a script for a component: the element to draw with its state, the return value of a completed component, or one
 * sentence that says why there is no element.
 */
export type ScriptRendering =
  | { readonly component: Component; readonly state: Readonly<Record<string, unknown>> }
  | { readonly isComplete: true; readonly returnValue: unknown }
  | { readonly problem: string };

/** Calls a script for its element (`ui_render`), and returns as soon as it answers. */
export async function askForElement(
  services: Services,
  recipient: InstalledIntegration,
  event: LiveEvent,
): Promise<ScriptRendering> {
  const { answer, error } = await deliverLive(services, recipient, event);
  if (answer !== undefined) return readAnswer(answer);
  return { problem: error ?? 'Scripts of integrations are turned off.' };
}

function readAnswer(answer: ScriptAnswer): ScriptRendering {
  if (answer.status < 200 || answer.status > 299) return { problem: errorIn(answer) };
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(answer.body).toString());
  } catch {
    return { problem: 'The answer of the script is not JSON.' };
  }
  if (isRecord(json) && json['type'] === 'complete')
    return { isComplete: true, returnValue: json['returnValue'] };
  const { component, problem } = readRendered(json);
  if (component === undefined) return { problem };
  const state = isRecord(json) ? json['state'] : undefined;
  return { component, state: recordOf(state) };
}
