import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { eachAtOnce } from './at-once.ts';
import { openBackend } from './backend.ts';
import { readField } from './bind.ts';
import { fingerprint, orderFingerprint } from './differences.ts';
import type { Backend, Body, Kind, Located } from './kind.ts';
import { kindNamed, kinds } from './kinds/index.ts';

import type { PlanDocument, Step } from './plan-document.ts';
import { scopeKey } from './survey.ts';
import { isSame, withIds } from './value.ts';

export interface VerifyRequest {
  readonly document: PlanDocument;
  readonly api: Api;
  readonly jobs: number;
  readonly signal?: AbortSignal | undefined;
  readonly table?: readonly Kind[];
}

/** Refuses a saved plan when what it saw is no longer so: `precondition-failed` that names what moved. */
export async function verifyPlan({ document, api, jobs, signal, table = kinds }: VerifyRequest): Promise<void> {
  const backend = await openBackend(api, document.organization, { withPeople: document.people, signal });
  const verifier = new Verifier(document, backend, table);
  const scopes = new Map(document.steps.filter(({ action }) => action !== 'unsupported').map((step) => [scopeKey(step.kind, step.parent), step]));
  const moved = (await eachAtOnce([...scopes], jobs, ([key, step]) => verifier.movedIn(key, step))).flat();
  if (moved.length === 0) return;
  throw new Problem(
    'precondition-failed',
    `The live side has moved since the plan was made: ${moved
      .slice(0, 3)
      .map(({ path }) => path)
      .join(', ')}${moved.length > 3 ? ` and ${moved.length - 3} more` : ''}.`,
    {
      hint: 'Make a new plan and look at it.',
      violations: moved.slice(0, 50),
    },
  );
}

class Verifier {
  readonly #backend: Backend;
  readonly #table: readonly Kind[];
  readonly #steps: readonly Step[];
  readonly #byAddress: ReadonlyMap<string, Step>;

  constructor({ steps }: PlanDocument, backend: Backend, table: readonly Kind[]) {
    this.#steps = steps;
    this.#backend = backend;
    this.#table = table;
    this.#byAddress = new Map(steps.filter(({ key, address }) => key === address).map((step) => [step.address, step]));
  }

  async movedIn(key: string, { kind: name, parent }: Step): Promise<{ path: string; message: string }[]> {
    const within = parent === undefined ? undefined : this.#locate(parent);
    if (parent !== undefined && within === undefined) return [];
    const kind = kindNamed(name, this.#table);
    const live = new Map((await kind.list(this.#backend, within)).map((body) => [body.id, body]));
    const parts = within === undefined ? undefined : await kind.ordered?.parts?.(this.#backend, within);
    const taken = new Set(this.#steps.map(({ id }) => id));
    const moved: { path: string; message: string }[] = [];
    for (const step of this.#steps) {
      if (scopeKey(step.kind, step.parent) !== key) continue;
      const message =
        step.beside !== undefined ? (orderFingerprint(parts) === step.saw ? undefined : 'its list has another order now') : await this.#movedOn(kind, step, live, taken);
      if (message !== undefined) moved.push({ path: step.key, message });
    }
    return moved;
  }

  async #movedOn(kind: Kind, step: Step, live: ReadonlyMap<string, Body>, taken: ReadonlySet<string | undefined>): Promise<string | undefined> {
    if (step.action === 'create') {
      const twin = [...live.values()].find((body) => !taken.has(body.id) && this.#looksLike(kind, step, body));
      return twin === undefined ? undefined : `something like it is there now: ${twin.id}`;
    }
    if (step.id === undefined || step.saw === undefined) return undefined;
    const body = live.get(step.id);
    if (body === undefined) return `${step.id} is no longer there`;
    if (step.action !== 'delete' && fingerprint(kind, body, this.#backend.people) !== step.saw) return `${step.id} has changed`;
    for (const { field, before, after } of step.changes) {
      const { fetch, same } = kind.fields[field]!;
      if (fetch !== undefined && !isSame(await fetch(this.#backend, this.#locate(step.address)!, after), before, same)) return `"${field}" of ${step.id} has changed`;
    }
    return undefined;
  }

  #looksLike(kind: Kind, { changes }: Step, body: Body): boolean {
    const wanted = new Map(changes.map(({ field, after }) => [field, withIds(after, (address) => this.#byAddress.get(address)?.id)]));
    return kind.keys.some(([first = '', ...more]) => {
      const isAs = (field: string): boolean => isSame(readField(kind, field, body, this.#backend.people), wanted.get(field), kind.fields[field]!.same);
      return wanted.has(first) && isAs(first) && more.every((field) => !wanted.has(field) || isAs(field));
    });
  }

  #locate(address: string): Located | undefined {
    const step = this.#byAddress.get(address);
    if (step?.id === undefined) return undefined;
    const within = step.parent === undefined ? undefined : this.#locate(step.parent);
    if (step.parent !== undefined && within === undefined) return undefined;
    return { kind: step.kind, id: step.id, within };
  }
}
