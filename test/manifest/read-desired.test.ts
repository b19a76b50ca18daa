import { describe, expect, it } from 'vitest';
import type { Desired } from '../../src/manifest/desired.ts';
import { readDesired } from '../../src/manifest/read-desired.ts';
import { faultsIn, read } from './read/folder.ts';

async function desiredOf(text: string): Promise<Desired> {
  return readDesired((await read(`version: 1\n${text}`)).root);
}

const faults = (text: string) => faultsIn(desiredOf(text));

describe('the desired resources of a manifest', () => {
  it('have addresses, and scopes for the lists that the manifest manages', async () => {
    const desired = await desiredOf(`
org: { id: org_acme, settings: { title: Acme } }
teams: {}
spaces: { guide: { title: Guide } }
sites:
  docs:
    groups: { dev: { title: Dev } }
    sections:
      - { path: über, space: !ref space.guide }
      - { path: api, ref: second, group: dev, siteSpaces: [{ path: v1, space: !ref space.guide }] }
`);
    expect(desired.organization?.value).toBe('org_acme');
    expect([...desired.byAddress.keys()].sort()).toEqual([
      'org.settings',
      'section-group.docs/dev',
      'section.docs/second',
      'section.docs/über',
      'site-space.docs/second/v1',
      'site-space.docs/über/space',
      'site.docs',
      'space.guide',
    ]);
    expect(desired.scopes.map(({ kind, parent, isList }) => [kind.name, parent, isList])).toEqual([
      ['team', undefined, false],
      ['space', undefined, false],
      ['site', undefined, false],
      ['section-group', 'site.docs', false],
      ['section', 'site.docs', true],
      ['site-space', 'section.docs/über', true],
      ['site-space', 'section.docs/second', true],
      ['org', undefined, false],
    ]);
    expect(desired.byAddress.get('section.docs/second')!.fields.get('group')!.value).toEqual({
      'docsctl:ref': 'section-group.docs/dev',
    });
  });

  it('are checked for wrong fields and wrong references in one run', async () => {
    expect(
      await faults(
        'collections: { a: { titel: A } }\nspaces:\n  s: { parent: !ref collection.nope }\n  t: { title: 5, parent: !ref collection.a }\n',
      ),
    ).toEqual([
      'org.yaml:2:21: "titel" is not a known field; did you mean "title"?',
      'org.yaml:4:16: the manifest has no collection.nope; add it, or use !lookup for a resource that the manifest does not manage',
      'org.yaml:5:15: 5 must be text; put it in quotes',
    ]);
  });

  it('are not checked for references if some blocks could not be read', async () => {
    expect(
      await faults('colections: { a: { title: A } }\nspaces: { s: { parent: !ref collection.a } }\n'),
    ).toEqual(['org.yaml:2:1: "colections" is not a known field; did you mean "collections"?']);
  });

  it.each([
    [
      'an unknown field',
      'spaces: { a: { titel: A } }',
      ['org.yaml:2:16: "titel" is not a known field; did you mean "title"?'],
    ],
    [
      'an unknown kind of block',
      'spces: {}',
      ['org.yaml:2:1: "spces" is not a known field; did you mean "spaces"?'],
    ],
    [
      'a field of another kind',
      'teams: { a: { title: A, emoji: x } }',
      ['org.yaml:2:25: "emoji" is not a known field; expected one of id, protect, title, members'],
    ],
    [
      'a wrong value',
      'spaces: { a: { title: 7, editMode: open } }',
      [
        'org.yaml:2:23: 7 must be text; put it in quotes',
        'org.yaml:2:36: "open" is not one of: live, locked',
      ],
    ],
    [
      'a ref to an unknown kind',
      'spaces: { a: { parent: !ref colection.x } }',
      ['org.yaml:2:24: unknown kind "colection"; did you mean "collection"?'],
    ],
    [
      'a ref to another kind',
      'spaces: { a: { parent: !ref space.a } }',
      ['org.yaml:2:24: !ref space.a is used where a collection is required'],
    ],
    [
      'a ref to a missing block',
      'collections: { product: {} }\nspaces: { a: { parent: !ref collection.prodct } }',
      ['org.yaml:3:24: the manifest has no collection.prodct; did you mean "collection.product"?'],
    ],
    [
      'a ref to a missing block without a similar name',
      'spaces: { a: { parent: !ref collection.x } }',
      [
        'org.yaml:2:24: the manifest has no collection.x; add it, or use !lookup for a resource that the manifest does not manage',
      ],
    ],
    [
      'a group that does not exist',
      'sites: { d: { groups: { dev: { title: D } }, sections: [{ path: a, group: dav }] } }',
      ['org.yaml:2:75: the manifest has no section-group.d/dav; did you mean "section-group.d/dev"?'],
    ],
    [
      'a circle',
      'collections:\n  a: { parent: !ref collection.b }\n  b: { parent: !ref collection.c }\n  c: { parent: !ref collection.a }',
      [
        'org.yaml:5:16: this is a circular reference: collection.a → collection.b → collection.c → collection.a',
      ],
    ],
    [
      'a block that is its own parent',
      'collections: { a: { parent: !ref collection.a } }',
      ['org.yaml:2:29: this is a circular reference: collection.a → collection.a'],
    ],
    [
      'the same section twice',
      'sites: { d: { sections: [{ path: a }, { path: a }] } }',
      [
        'org.yaml:2:39: section.d/a already exists at org.yaml:2:26; remove one of the two, or rename one with "ref"',
      ],
    ],
    [
      'a section without a path',
      'sites: { d: { sections: [{ title: Aa }] } }',
      ['org.yaml:2:26: the field "path" is required'],
    ],
    [
      'an invalid name',
      'spaces: { "a b": {} }',
      [
        'org.yaml:2:11: "a b" is not a valid name; begin with a letter or digit, and write only letters, digits, - and _, at most 100',
      ],
    ],
    [
      'a section with a space and site spaces',
      'spaces: { a: {} }\nsites: { d: { sections: [{ path: a, space: !ref space.a, siteSpaces: [] }] } }',
      [
        'org.yaml:3:37: a section cannot have both "space" and "siteSpaces"; remove "space"',
        'org.yaml:3:58: a section needs at least one space',
      ],
    ],
    [
      'a site with sections and site spaces',
      'spaces: { a: {} }\nsites: { d: { sections: [{ path: a, space: !ref space.a }], siteSpaces: [{ path: b, space: !ref space.a }] } }',
      [
        'org.yaml:3:61: a site cannot have both "sections" and "siteSpaces"; move the site spaces into a section',
      ],
    ],
    [
      'an emoji and an icon',
      'spaces: { a: { emoji: ❤, icon: "https://a.test/x.png" } }',
      ['org.yaml:2:26: a space cannot have both an emoji and an icon; remove one of the two'],
    ],
    [
      'an invalid emoji',
      'spaces: { a: { emoji: ab } }',
      ['org.yaml:2:23: "ab" is not a valid emoji, such as 📘 or its code point 1f4d8'],
    ],
    [
      'an invalid part of an address',
      'sites: { d: { title: Docs, basename: "Docs!", sections: [{ path: a b }] } }',
      [
        'org.yaml:2:38: "Docs!" does not have the expected format (letters, digits and -._~, but not "." or "..")',
        'org.yaml:2:66: "a b" does not have the expected format (letters, digits and -._~, but not "." or "..")',
      ],
    ],
    [
      'default: false',
      'sites: { d: { sections: [{ path: a, default: false }] } }',
      ['org.yaml:2:46: can only be true; if it is not, leave out this field'],
    ],
    [
      'an unknown rule',
      'spaces: { a: { mergeRules: { allow_bypas: true } } }',
      ['org.yaml:2:30: "allow_bypas" is not a known field; did you mean "allow_bypass"?'],
    ],
    [
      'a rule about members without members',
      'spaces: { a: { mergeRules: { require_specific_reviewers: true } } }',
      ['org.yaml:2:58: true is not allowed here; expected a list'],
    ],
    [
      'members for a rule that takes none',
      'spaces: { a: { mergeRules: { require_at_least_one_review: [ana@acme.test] } } }',
      ['org.yaml:2:59: a list is not allowed here; expected true'],
    ],
    [
      'a rule about members without members, in a list',
      'spaces: { a: { mergeRules: [{ rule: allow_bypass }] } }',
      ['org.yaml:2:29: the rule "allow_bypass" needs "users", a list of members'],
    ],
    [
      'members for a rule that takes none, in a list',
      'spaces: { a: { mergeRules: [{ rule: require_author_to_merge, users: [ana@acme.test] }] } }',
      ['org.yaml:2:69: the rule "require_author_to_merge" cannot have "users"; remove it'],
    ],
    [
      'a lookup by an unknown field',
      'spaces: { a: { parent: !lookup { titel: x } } }',
      ['org.yaml:2:34: !lookup cannot find a collection by "titel"; did you mean "title"?'],
    ],
  ] as const)('report %s at its position', async (_, text, expected) => {
    expect(await faults(text)).toEqual(expected);
  });

  it('report a circular reference through 5,000 blocks', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `c${index}`);
    const text = names
      .map((name, index) => `  ${name}: { parent: !ref collection.${names[index + 1] ?? 'c0'} }`)
      .join('\n');
    const [fault] = await faults(`collections:\n${text}`);
    expect(fault).toMatch(/^org\.yaml:5002:20: this is a circular reference: collection\.c0 → /);
  });
});
