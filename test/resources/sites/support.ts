import type { Operation, OutputOf, InputOf } from '../../../src/contract/operation.ts';
import { violationsOf } from '../../../src/contract/check.ts';
import { createInitialRevision } from '../../../src/content/revisions.ts';
import type { Caller } from '../../../src/core/callers.ts';
import { spaces, type SpaceRow } from '../../../src/core/rows/spaces.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { addSectionGroup } from '../../../src/resources/site-section-groups/contract.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { addSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { createSite, getSiteStructure } from '../../../src/resources/sites/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';

export interface SitesWorld extends World {
  /** Calls an operation as an administrator by default, and checks the answer against its declaration. */
  readonly call: <O extends Operation>(
    operation: O,
    params: Record<string, string>,
    body?: unknown,
    query?: unknown,
    who?: Who,
  ) => Promise<OutputOf<O>>;
  /** Returns the reason and message of the Problem that a call throws. */
  readonly refusal: (
    operation: Operation,
    params: Record<string, string>,
    body?: unknown,
    query?: unknown,
    who?: Who,
  ) => Promise<{ reason: string; message: string; hint: string | undefined; paths: string[] }>;
  /** Creates a space with this title and returns its ID. */
  readonly space: (title: string, more?: Partial<SpaceRow>) => Promise<string>;
  /** Creates a site with these spaces and returns its ID. */
  readonly site: (title: string, ...spaceIds: string[]) => Promise<string>;
  /** Each adds to a site and returns the ID: a section with a new space, a site space with a new space, or a group. */
  readonly section: (site: string, title: string, more?: object) => Promise<string>;
  readonly siteSpace: (site: string, title: string, more?: object) => Promise<string>;
  readonly group: (site: string, title: string, more?: object) => Promise<string>;
  /** Returns the structure in short form: `Guides*[A* B] (Group: …)`, with a star for each default. */
  readonly sketch: (site: string) => Promise<string>;
}

interface Sketched {
  readonly object: string;
  readonly title: string;
  readonly default?: boolean;
  readonly children?: readonly Sketched[];
  readonly siteSpaces?: readonly Sketched[];
}

/** Creates a world with helpers for tests of sites. */
export async function createSitesWorld(): Promise<SitesWorld> {
  const world = await createWorld();
  let made = 0;
  const call = async <O extends Operation>(
    operation: O,
    params: Record<string, string>,
    body?: unknown,
    query?: unknown,
    who: Who = 'admin',
  ): Promise<OutputOf<O>> => {
    const input = {
      params: { organizationId: world.org, ...params },
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { query }),
    };
    const answer = await world.as(who).call(operation, input as unknown as InputOf<O>);
    if (operation.returns.schema !== undefined) {
      const wrong = violationsOf(operation.returns.schema, answer, '');
      if (wrong.length > 0)
        throw new Error(`${operation.id} answered what it does not declare: ${JSON.stringify(wrong)}`);
    }
    return answer;
  };
  const space = async (title: string, more: Partial<SpaceRow> = {}): Promise<string> => {
    const id = `spc_${++made}`;
    const at = '2026-01-01T00:00:00.000Z';
    const counts = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 };
    const row: SpaceRow = {
      id,
      organization: world.org,
      title,
      emoji: '1f600',
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
      state: 'live',
      editMode: 'live',
      mergeRules: { type: 'inherit' },
      parent: null,
      position: `a${made}`,
      revision: '',
      defaultLevel: null,
      ...counts,
      ...more,
    };
    await world.core.store.write(async (tx) => {
      const context = {
        now: at,
        newId: world.core.newId,
        caller: { user: { id: world.user('admin') } } as Caller,
      };
      const revision = await createInitialRevision(tx, context, { organization: world.org, space: id });
      await tx.insert(spaces, { ...row, revision: more.revision ?? revision });
    });
    return id;
  };
  return {
    ...world,
    call,
    space,
    refusal: async (...given) => {
      const problem = await call(...given).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!(problem instanceof Problem))
        throw (problem as Error | undefined) ?? new Error(`${given[0].id} was not refused`);
      return {
        reason: problem.reason,
        message: problem.message,
        hint: problem.hint,
        paths: problem.violations.map(({ path }) => path),
      };
    },
    site: async (title, ...spaceIds) => (await call(createSite, {}, { title, spaces: spaceIds })).id,
    section: async (site, title, more = {}) =>
      (await call(addSection, { siteId: site }, { spaceId: await space(title), ...more })).id,
    siteSpace: async (site, title, more = {}) =>
      (await call(addSiteSpace, { siteId: site }, { spaceId: await space(title), ...more })).id,
    group: async (site, title, more = {}) =>
      (await call(addSectionGroup, { siteId: site }, { title, ...more })).id,
    sketch: async (site) =>
      ((await call(getSiteStructure, { siteId: site })).structure as readonly Sketched[])
        .map(sketchOf)
        .join(' '),
  };
}

function sketchOf({ object, title, default: isDefault, children, siteSpaces }: Sketched): string {
  const name = `${title}${isDefault === true ? '*' : ''}`;
  if (object === 'site-space') return name;
  if (object === 'site-section') return `${name}[${siteSpaces!.map(sketchOf).join(' ')}]`;
  return `(${[`${name}:`, ...children!.map(sketchOf)].join(' ')})`;
}
