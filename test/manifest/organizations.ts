import fc from 'fast-check';

/** A value that is written as it stands, such as a ref. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Tree =
  | null
  | boolean
  | number
  | string
  | Raw
  | readonly Tree[]
  | { readonly [name: string]: Tree | undefined };

export interface Organization {
  readonly [field: string]: Tree;
}

/** Flow style, whose order of keys is that of `order`. */
export function write(tree: Tree, order: (keys: string[]) => string[] = (keys) => keys): string {
  if (tree instanceof Raw) return tree.text;
  if (Array.isArray(tree)) return `[${tree.map((item: Tree) => write(item, order)).join(', ')}]`;
  if (typeof tree !== 'object' || tree === null) return JSON.stringify(tree);
  const fields = tree as Record<string, Tree | undefined>;
  const keys = order(Object.keys(fields).filter((key) => fields[key] !== undefined));
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${write(fields[key]!, order)}`).join(', ')}}`;
}

/** The text of a manifest. */
export function manifestOf(organization: Organization, order?: (keys: string[]) => string[]): string {
  const keys = order === undefined ? Object.keys(organization) : order(Object.keys(organization));
  return `version: 1\n${keys.map((key) => `${key}: ${write(organization[key]!, order)}\n`).join('')}`;
}

const ref = (kind: string, name: string) => new Raw(`!ref ${kind}.${name}`);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const title = fc.constantFrom('Guide', 'API', 'Home', 'Ünï ☂', 'Guide 2');
const names = (pool: readonly string[], least = 0) => fc.subarray([...pool], { minLength: least });
const mapOf = <T extends Tree>(
  keys: readonly string[],
  value: (key: string) => fc.Arbitrary<T>,
  least = 0,
): fc.Arbitrary<Record<string, T>> =>
  names(keys, least).chain((chosen) =>
    fc
      .tuple(...chosen.map(value))
      .map((values) => Object.fromEntries(chosen.map((key, index) => [key, values[index]!]))),
  );
const parentAmong = (kind: string, chosen: readonly string[]) =>
  fc.constantFrom<Tree>(null, ...chosen.map((name) => ref(kind, name)));
const mails = ['admin', 'create', 'review', 'edit'].map((who) => `${who}@acme.test`);

const team = fc.record({
  title,
  members: maybe(
    fc
      .subarray(mails)
      .chain((chosen) =>
        fc.tuple(
          ...chosen.map((email) => fc.boolean().map((owner) => (owner ? { email, role: 'owner' } : email))),
        ),
      ),
  ),
});

const member = fc.record({ role: maybe(fc.constantFrom('admin', 'edit', 'guest')) });

const roleHere = fc.constantFrom('read', 'edit', 'none');
/** Roles of members and of teams that are always there. */
const access = maybe(
  fc
    .tuple(fc.subarray(['edit@acme.test', 'REVIEW@acme.test']), fc.subarray(['fixed']), roleHere, roleHere)
    .map(([people, teams, one, other]) => [
      ...people.map((email) => ({ email, role: one })),
      ...teams.map((name) => ({ team: ref('team', name), role: other })),
    ]),
);

const collections = mapOf(['one', 'two', 'three'], () =>
  fc.record({ title, defaultLevel: maybe(fc.constantFrom('edit', null)), access }),
).chain((found) => {
  const keys = Object.keys(found);
  return fc
    .tuple(...keys.map((_, index) => parentAmong('collection', keys.slice(0, index))))
    .map((parents) =>
      Object.fromEntries(keys.map((key, index) => [key, { ...found[key], parent: parents[index]! }])),
    );
});

const mergeRules = fc.constantFrom<Tree>(
  'inherit',
  'none',
  { require_at_least_one_review: true, require_specific_reviewers: ['edit@acme.test'] },
  { allow_bypass: ['REVIEW@acme.test', 'usr_admin'] },
);

const space = (parents: readonly string[]) =>
  fc.record({
    title,
    emoji: maybe(fc.constantFrom(null, '📘')),
    parent: maybe(parentAmong('collection', parents)),
    editMode: maybe(fc.constantFrom('live', 'locked')),
    mergeRules: maybe(mergeRules),
    access,
  });

const look = fc.record(
  {
    title: fc.constantFrom('Docs', 'Handbuch'),
    styling: fc.record(
      { theme: fc.constantFrom('clean', 'bold'), corners: fc.constantFrom('rounded', 'straight') },
      { requiredKeys: [] },
    ),
    footer: fc.constantFrom(null, { copyright: 'Acme' }),
  },
  { requiredKeys: [] },
);

const linkTo = (known: readonly string[]) =>
  fc.constantFrom<Tree>(
    ...known.map((name) => ({ title: name, links: [], to: { kind: 'space', space: ref('space', name) } })),
  );

const siteLook = (known: readonly string[]) =>
  maybe(
    fc
      .tuple(look, maybe(linkTo(known)))
      .map(([own, link]) => ({ ...own, ...(link === undefined ? {} : { header: { links: [link] } }) })),
  );

const redirects = maybe(
  fc.tuple(fc.subarray(['/old', '/Blog/*', '/start']), fc.boolean()).map(([sources, flag]) =>
    sources.map((source, index) => ({
      source,
      url: `https://example.com/${String(flag)}`,
      ...(index === 0 ? { permanent: flag } : { draft: flag }),
      ...(source.endsWith('*') ? { captureWildcard: !flag } : {}),
    })),
  ),
);

/** Links at the root of a site, each after a section, before all of them, or anywhere. */
const externalLinks = fc.array(
  fc.record({
    title: fc.constantFrom('Status', 'Forum'),
    at: fc.nat(5),
    draft: fc.boolean(),
    isPlaced: fc.boolean(),
  }),
  { maxLength: 3 },
);

/** At most one of them is the default; each space and path stands once. */
const siteSpaces = (known: readonly string[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...known], { minLength: 1 }),
      fc.shuffledSubarray(['v1', 'v2', 'guide', 'api'], { minLength: 4 }),
      fc.nat(4),
      fc.boolean(),
      maybe(look),
    )
    .map(([chosen, paths, first, hidden, customization]) =>
      chosen.slice(0, 4).map((name, index) => ({
        path: paths[index]!,
        space: ref('space', name),
        ...(index === 1 && customization !== undefined ? { customization } : {}),
        ...(index === first ? { default: true } : {}),
        ...(index === 1 ? { hidden } : {}),
      })),
    );

const groupMap = mapOf(['alpha', 'beta'], () =>
  fc.record({ title, icon: maybe(fc.constantFrom('code', null)) }),
).map((found) =>
  Object.fromEntries(
    Object.keys(found).map((key, index, keys) => [
      key,
      { ...found[key], parent: index === 0 ? null : keys[0]! },
    ]),
  ),
);

const sections = (known: readonly string[], groups: readonly string[]) =>
  fc.shuffledSubarray(['guide', 'api', 'home', 'more']).chain((paths) =>
    fc
      .tuple(
        fc.nat(6),
        ...paths.map((path) =>
          fc.record({
            path: fc.constant(path),
            title: fc.constantFrom('Guides', 'APIs'),
            group: fc.constantFrom<Tree>(null, ...groups),
            condition: maybe(fc.constantFrom(null, 'visitor.claims.beta == true')),
            shown: fc.oneof(
              fc.constantFrom(...known).map((name) => ({ space: ref('space', name) })),
              siteSpaces(known).map((inside) => ({ siteSpaces: inside })),
            ),
          }),
        ),
      )
      .map(([first, ...list]) =>
        list.map(({ shown, ...section }, index) => ({
          ...section,
          ...shown,
          ...(index === first ? { default: true } : {}),
        })),
      ),
  );

const site = (known: readonly string[]) =>
  groupMap.chain((groups) =>
    fc
      .tuple(
        title,
        maybe(fc.constantFrom('public', 'unlisted')),
        fc.boolean(),
        sections(known, Object.keys(groups)),
        access,
        siteLook(known),
        redirects,
        maybe(externalLinks),
      )
      .map(([name, visibility, published, list, roles, customization, from, links]) => ({
        title: name,
        visibility,
        ...(list.length > 0 ? { published } : { published: false }),
        groups,
        sections: list,
        access: roles,
        customization,
        redirects: from,
        ...(links === undefined
          ? {}
          : {
              externalLinks: (list.length === 0 ? [] : links).map(({ at, isPlaced, ...link }) => ({
                ...link,
                url: `https://example.com/${at}`,
                ...(isPlaced ? { after: list[at]?.path ?? null } : {}),
              })),
            }),
      })),
  );

/** Small organizations of all kinds, with the same few names and titles, so that two of them have much in common. */
export const organizations: fc.Arbitrary<Organization> = collections.chain((found) =>
  mapOf(['a', 'b', 'c'], () => space(Object.keys(found)), 1).chain((spaces) => {
    const known = Object.keys(spaces);
    return fc
      .record({
        teams: mapOf(['writers', 'readers'], () => team).map((teams) => ({
          ...teams,
          fixed: { title: 'Fixed' },
        })),
        members: mapOf(['dan@acme.test', 'Eva@acme.test'], () => member),
        sites: fc.record(
          {
            docs: site(known),
            root: siteSpaces(known).map((inside) => ({ title: 'Root', siteSpaces: inside })),
          },
          { requiredKeys: [] },
        ),
        settings: fc.record(
          {
            ai: fc.boolean(),
            defaultRole: fc.constantFrom('read', null),
            emailDomains: fc.constantFrom(['a.test', 'b.test'], ['b.test', 'A.test'], []),
          },
          { requiredKeys: [] },
        ),
      })
      .map(({ teams, members, sites, settings }) => {
        const opening = Object.keys(sites)[0];
        return {
          teams,
          members,
          collections: found,
          spaces,
          sites,
          org: {
            settings: {
              ...settings,
              defaultContent: opening === undefined ? null : { site: ref('site', opening) },
            },
          },
        };
      });
  }),
);
