import type { OutputOf } from '../contract/operation.ts';
import type { listEvents } from '../resources/integration-events/contract.ts';
import { lineText } from './output/cell.ts';
import { parseColumns } from './output/columns.ts';
import { valueAt } from '../contract/paths.ts';

export type IntegrationEvent = OutputOf<typeof listEvents>['items'][number];

/** An event on one line that can be shown before the next one comes, which the columns of a table cannot. */
export function eventLine(event: IntegrationEvent, columns: string | undefined): string {
  if (columns !== undefined) return cells(parseColumns([columns]).map(({ path }) => valueAt(event, path)));
  const { id, createdAt, payload, delivery } = event;
  return cells([createdAt.slice(11, 19), payload.type.padEnd(26), id, outcome(delivery)]);
}

function outcome({ state, attempts, status, error, nextAttemptAt }: IntegrationEvent['delivery']): string {
  if (state === 'no-endpoint') return 'nobody takes it';
  if (state === 'delivered') return `delivered (${status}) at try ${attempts}`;
  if (error === undefined) return 'waiting';
  return `${error.replace(/\.$/, '')}: ${state === 'dead' ? `given up at try ${attempts}` : `try ${attempts + 1} at ${nextAttemptAt?.slice(11, 19)}`}`;
}

function cells(values: readonly unknown[]): string {
  return `${values.map(lineText).join('  ')}\n`;
}
