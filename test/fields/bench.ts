import { expect } from 'vitest';
import type { Operation, OutputOf } from '../../src/contract/operation.ts';
import { callsIn } from '../resources/calls.ts';
import { createWorld, type Outside, type Who, type World } from '../support/world.ts';

/** What a try works with: a world of its own, and calls whose answers are checked against their declarations. */
export type Bench = ReturnType<typeof callsIn> & {
  readonly world: World;
  readonly org: { organizationId: string };
};

/** Sets fields of an object, and finds the effect through another operation. */
export interface Try {
  readonly of: string;
  readonly fields: readonly string[];
  /** Makes what the world sees of the outside; no network without it. */
  readonly outside?: () => Outside;
  readonly run: (bench: Bench) => Promise<void>;
}

/** Makes a world for one try, runs it, and closes the world. */
export async function withBench(work: (bench: Bench) => Promise<void>, outside?: Outside): Promise<void> {
  const world = await createWorld('memory:', outside);
  try {
    await work({ ...callsIn(() => world), world, org: { organizationId: world.org } });
  } finally {
    await world.core.store.close();
  }
}

type Params = Readonly<Record<string, string>>;

/** Sends values with one operation, one after the other, and finds each in what another one answers. */
export async function setAndSee<O extends Operation>(
  { call }: Bench,
  [update, params]: readonly [Operation, Params],
  values: Readonly<Record<string, unknown>>,
  [read, at, find]: readonly [O, Params, (answer: OutputOf<O>) => object | undefined],
): Promise<void> {
  for (const [field, value] of Object.entries(values)) {
    expect(find(await call(read, at)), `${field} before`).not.toMatchObject({ [field]: value });
    await call(update, params, { body: { [field]: value } });
    expect(find(await call(read, at)), field).toMatchObject({ [field]: value });
  }
}

/** Compares a permission with whether a call is refused, for each role. */
export async function permissionIsKept(
  roles: readonly Who[],
  permission: (who: Who) => Promise<boolean | undefined>,
  attempt: (who: Who) => Promise<string>,
): Promise<void> {
  const shown: (readonly [Who, boolean])[] = [];
  const done: (readonly [Who, boolean])[] = [];
  for (const who of roles) {
    shown.push([who, (await permission(who)) === true]);
    done.push([who, (await attempt(who)) !== 'forbidden']);
  }
  expect(shown).toEqual(done);
  expect(new Set(shown.map(([, is]) => is)).size).toBe(2);
}

export const roles: readonly Who[] = ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest'];
