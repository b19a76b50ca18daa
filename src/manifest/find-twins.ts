import type { Api } from '../contract/api.ts';
import { groupBy } from '../contract/values.ts';
import { openBackend } from './backend.ts';
import { readField, type Kind } from './kind.ts';
import { kindNamed, kinds } from './kinds/index.ts';
import type { ManifestState } from './manifest-state.ts';
import { nobody } from './people.ts';
import type { PlanDocument } from './plan-document.ts';
import type { Survey } from './survey.ts';

interface TwinRequest {
  readonly api: Api;
  readonly document: PlanDocument;
  /** The state after the run. */
  readonly state: ManifestState;
  /** The resources before the run. They are no twins. */
  readonly live?: Survey['live'] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
}

/** A resource that the manifest does not own, and the address of a created resource with the same value in a field. */
interface Twin {
  readonly address: string;
  readonly id: string;
  readonly field: string;
}

/**
 * Finds resources that look like those that a first run has created. While two first runs create resources at the same time,
 * neither sees those of the other, but at least one of them sees them afterwards.
 */
export async function findTwins(request: TwinRequest): Promise<readonly Twin[]> {
  const { api, document, state, live: before, signal, table = kinds } = request;
  const created = document.steps.filter(
    ({ action, parent, address }) =>
      action === 'create' && parent === undefined && state.get(address) !== undefined,
  );
  const backend = await openBackend(api, document.organization, { withPeople: false, signal });
  const known = new Set(
    [...(before?.values() ?? []), state.entries().map(([, owned]) => owned)].flat().map(({ id }) => id),
  );
  const twins: Twin[] = [];
  for (const [name, steps] of groupBy(created, ({ kind }) => kind)) {
    const kind = kindNamed(name, table);
    const field = kind.keys.at(-1)?.[0];
    if (field === undefined) continue;
    const live = await kind.list(backend, undefined);
    const values = new Map(
      live.map((body) => [body.id, JSON.stringify(readField(kind, field, body, nobody))]),
    );
    const others = groupBy(
      live.filter(({ id }) => !known.has(id)),
      ({ id }) => values.get(id),
    );
    for (const { address } of steps)
      for (const { id } of others.get(values.get(state.get(address)?.id ?? '')) ?? [])
        twins.push({ address, id, field });
  }
  return twins;
}
