import type { OutputOf } from '../../../contract/operation.ts';
import type { getEvent } from '../../../resources/integration-events/contract.ts';
import { lineText } from '../../output/cell.ts';
import { drawFields } from '../../output/draw-fields.ts';
import { fieldsOf } from '../../output/record-fields.ts';
import type { Session } from '../../session/session.ts';

/** Draws the fields of an event, with the lines of its trace below them. */
export async function drawEvent(
  { terminal }: Session,
  { event, trace }: OutputOf<typeof getEvent>,
): Promise<string> {
  const fields = fieldsOf(event, { terminal, defaultColumns: [], headers: true });
  const lines = (trace?.logs ?? []).map(
    ({ timestamp, level, message }) => `${timestamp} ${level} ${lineText(message)}\n`,
  );
  const text = await drawFields(terminal, fields);
  return lines.length === 0 ? text : `${text}\n${lines.join('')}`;
}
