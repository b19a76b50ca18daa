import { displayName } from '../read-field.ts';
import type { Body, Kind } from '../kind.ts';
import type { UndoContext } from './undo-context.ts';

/** Says what a run brought about beside its steps, as far as its journal and what is live tell: an undo does not reach it. */
export async function describeKept(undoing: UndoContext): Promise<void> {
  const { request, stays, touched } = undoing;
  const { ingests = [] } = request.run.head;
  if (ingests.length > 0)
    stays.push(
      `conversations that the run ingested from ${ingests.slice(0, 5).join(', ')}${ingests.length > 5 ? ` and ${ingests.length - 5} more` : ''}, as far as it came.`,
    );
  for (const { kind, id, address, how, content } of touched) {
    if (how === 'made' || id === undefined || kind.name !== 'space') continue;
    const isWaiting = content.some(({ from, to }) => from !== undefined && to === from);
    if (isWaiting)
      stays.push(
        `the change request with what the run sent to ${address}, where nobody has merged it; \`docsctl change-requests list --space ${id} --status all\` shows it.`,
      );
  }
}

/** The space into which a translation wrote is a space like any other: it outlives the translation. */
export async function describeTarget(
  { stays, steps, lists, request }: UndoContext,
  kind: Kind,
  address: string,
  body: Body,
): Promise<void> {
  const target =
    kind.name === 'translation'
      ? (body as Body & { readonly result?: { readonly space: string } }).result?.space
      : undefined;
  const space = request.table.find(({ name }) => name === 'space');
  if (target === undefined || space === undefined) return;
  const found = await lists.find(space, { id: target, within: undefined });
  if (found === undefined || steps.deletes.some((step) => step.kind === 'space' && step.id === target))
    return;
  const title = JSON.stringify(displayName(space, found, { people: lists.backend.people }));
  stays.push(
    `the space ${title} (${target}), into which ${address} translated; \`docsctl spaces delete ${target}\` takes it away.`,
  );
}
