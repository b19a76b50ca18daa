import { callOf } from '../../src/manifest/kind.ts';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { openBackend } from '../../src/manifest/backend.ts';
import { kindNamed, kinds } from '../../src/manifest/kinds/index.ts';
import { locateOwned } from '../../src/manifest/locate-owned.ts';
import { readState } from '../../src/manifest/state-file.ts';
import { linesOf, type Bench } from './bench.ts';
import { adoptIn, broughtTo, desiredOf, driftOf, forgetIn, rebuildIn } from './state-bench.ts';
import { manifestOf, organizations, type Organization } from './organizations.ts';

const runs = { numRuns: 12 };
const timeout = 60_000;

/** A value that no generated organization has; undefined if there is none, or if it has side effects. */
const edited: Readonly<Record<string, (last: unknown, number: number) => unknown>> = {
  'team.title': () => 'Edited',
  'team.members': () => ['comment@acme.test'],
  'collection.title': () => 'Edited',
  'collection.defaultLevel': () => 'read',
  'collection.parent': (last) => (last === null ? undefined : null),
  'space.title': () => 'Edited',
  'space.emoji': () => '🚀',
  'space.editMode': (last) => (last === 'live' ? 'locked' : 'live'),
  'space.mergeRules': (last) => (last === 'none' ? 'inherit' : 'none'),
  'space.parent': (last) => (last === null ? undefined : null),
  'site.title': () => 'Edited',
  'site.visibility': (last) => (last === 'public' ? 'unlisted' : 'public'),
  'section-group.title': () => 'Edited',
  'section-group.icon': () => 'book',
  'section.title': () => 'Edited',
  'section.path': (_, number) => `edited-${number}`,
  'section.condition': () => 'visitor.claims.edited == true',
  'site-space.path': (_, number) => `edited-${number}`,
  'site-space.hidden': (last) => last !== true,
  'org.ai': (last) => last !== true,
  'org.defaultRole': () => 'comment',
  'org.emailDomains': () => ['c.test'],
};

/** Changes some of the applied fields by hand, and returns which. */
async function editByHand(bench: Bench, chance: () => boolean): Promise<string[]> {
  const lock = readState(bench.lockOptions);
  const backend = await openBackend(bench.world.as('admin'), bench.world.org, { withPeople: true });
  const done: string[] = [];
  for (const [number, [address, owned]] of lock.entries().entries()) {
    const kind = kindNamed(owned.kind);
    for (const [field, last] of Object.entries(owned.fields)) {
      const value = edited[`${kind.name}.${field}`]?.(last, number);
      if (value === undefined || !chance()) continue;
      const written = kind.fields[field]!.write?.(value, backend.people) ?? value;
      await kind.calls[callOf(kind, field)]!.send(backend, locateOwned(lock, address, kinds)!, {
        [field]: written,
      });
      done.push(`${address} ${field}`);
    }
  }
  return done.sort();
}

/** The same organization, in which no two resources have the same title. */
function withOwnTitles(organization: Organization): Organization {
  let count = 0;
  const walk = (tree: unknown): unknown => {
    if (Array.isArray(tree)) return tree.map(walk);
    // References are texts of their own kind.
    if (
      typeof tree !== 'object' ||
      tree === null ||
      ![Object.prototype, null].includes(Object.getPrototypeOf(tree) as object | null)
    )
      return tree;
    return Object.fromEntries(
      Object.entries(tree).map(([name, inner]) => [
        name,
        name === 'title' ? `${String(inner)} ${++count}` : walk(inner),
      ]),
    );
  };
  return walk(organization) as Organization;
}

describe('the state of a manifest', () => {
  it(
    'shows no drift after an apply, and then exactly what was changed by hand',
    async () => {
      let edits = 0;
      await fc.assert(
        fc.asyncProperty(organizations, fc.infiniteStream(fc.boolean()), async (organization, chances) => {
          const bench = await broughtTo(manifestOf(organization));
          expect(await driftOf(bench)).toMatchObject({
            resources: [],
            unseen: [],
            unreadable: [],
            counts: { changed: 0, gone: 0, unread: 0 },
          });
          const done = await editByHand(bench, () => chances.next().value!);
          edits += done.length;
          const drift = await driftOf(bench);
          const found = drift.resources
            .flatMap(({ address, changes }) => changes.map(({ field }) => `${address} ${field}`))
            .sort();
          // External links refer to the sections before them by their paths.
          const isRenamed = done.some((one) => /^section\.docs\S* path$/.test(one));
          expect(found.filter((one) => !isRenamed || one !== 'site.docs externalLinks')).toEqual(done);
          expect(drift.counts).toMatchObject({ gone: 0, unread: 0 });
        }),
        runs,
      );
      expect(edits).toBeGreaterThan(20);
    },
    timeout,
  );

  it(
    'is the same after entries were forgotten and adopted again, without live changes',
    async () => {
      await fc.assert(
        fc.asyncProperty(organizations, fc.infiniteStream(fc.boolean()), async (organization, chances) => {
          const bench = await broughtTo(manifestOf(organization));
          const before = readState(bench.lockOptions).entries();
          const chosen = before.filter(() => chances.next().value).map(([address]) => address);
          if (chosen.length > 0) await forgetIn(bench, chosen);
          const left = readState(bench.lockOptions);
          const lost = new Map(before.filter(([address]) => left.get(address) === undefined));
          expect(chosen.every((address) => lost.has(address))).toBe(true);
          const { scopes } = await desiredOf(bench);
          for (const { address } of scopes.flatMap(({ resources }) => resources))
            if (lost.has(address)) await adoptIn(bench, address, lost.get(address)!.id);
          expect(linesOf(await bench.plan())).toEqual([]);
          await bench.apply();
          expect(bench.changing).toEqual([]);
          expect(readState(bench.lockOptions).entries()).toEqual(before);
        }),
        runs,
      );
    },
    timeout,
  );

  it(
    'is restored by a rebuild after it was lost, if titles are unique',
    async () => {
      await fc.assert(
        fc.asyncProperty(organizations, fc.boolean(), async (organization, isUnique) => {
          const bench = await broughtTo(manifestOf(isUnique ? withOwnTitles(organization) : organization));
          const before = readState(bench.lockOptions).entries();
          rmSync(bench.lockOptions.path);
          try {
            await rebuildIn(bench);
          } catch (error) {
            if (isUnique || !(error instanceof Problem)) throw error;
            // Two resources with the same title are reported, and nothing is written.
            expect(error.message + JSON.stringify(error.violations)).toContain('which have the same');
            expect(bench.lock).toBeUndefined();
            return;
          }
          expect(readState(bench.lockOptions).entries().sort()).toEqual(before.sort());
          expect(linesOf(await bench.plan())).toEqual([]);
          expect(bench.changing).toEqual([]);
        }),
        runs,
      );
    },
    timeout,
  );

  it(
    'is not changed by a rebuild if it is correct, even if titles are not unique',
    async () => {
      await fc.assert(
        fc.asyncProperty(organizations, async (organization) => {
          const bench = await broughtTo(manifestOf(organization));
          const before = readState(bench.lockOptions).entries();
          const { rows } = await rebuildIn(bench);
          expect(rows.filter(({ isSame }) => !isSame)).toEqual([]);
          expect(readState(bench.lockOptions).entries()).toEqual(before);
        }),
        runs,
      );
    },
    timeout,
  );
});
