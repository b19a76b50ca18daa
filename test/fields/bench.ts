import { expect } from 'vitest';
import type { Operation, OutputOf } from '../../src/contract/operation.ts';
import { callsIn } from '../resources/calls.ts';
import { createWorld, type Outside, type Who, type World } from '../support/world.ts';

/** What a try works with: a world, and calls whose answers are checked against their declarations. */
export type Bench = ReturnType<typeof callsIn> & {
  readonly world: World;
  readonly org: { organizationId: string };
};

/** Sets fields of an object and checks the effect with another operation. */
export interface Try {
  readonly of: string;
  readonly fields: readonly string[];
  /** Configures the outside of the world. By default there is no network. */
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

/** Sends values one after the other with one operation, and checks that another operation returns each of them. */
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

/** Checks for each role that a permission is false exactly if the call is refused. */
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
