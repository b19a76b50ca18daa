import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../../src/cli/manifest/plan-markdown.ts';
import { drawPlan } from '../../../src/cli/manifest/plan-text.ts';
import { valueText } from '../../../src/cli/manifest/value-text.ts';
import { createStyler } from '../../../src/cli/output/style.ts';
import type { Action, PlanDocument, Step } from '../../../src/manifest/plan-document.ts';

function planOf(
  steps: readonly (Partial<Step> & Pick<Step, 'key' | 'action'>)[],
  left: PlanDocument['left'] = [],
): PlanDocument {
  const counts = {
    create: 0,
    update: 0,
    adopt: 0,
    move: 0,
    delete: 0,
    none: 0,
    unsupported: 0,
  } satisfies Record<Action, number>;
  for (const { action } of steps) counts[action]++;
  return {
    version: 1,
    place: 'sqlite:`odd`',
    organization: 'org_1',
    people: false,
    lock: { serial: 1 },
    steps: steps.map((step) => ({
      address: step.key,
      kind: step.key.split('.')[0]!,
      name: step.key,
      changes: [],
      after: [],
      calls: 1,
      ...step,
    })),
    counts,
    calls: steps.length,
    left,
  };
}
const text = async (document: PlanDocument, color = false) => drawPlan(document, await createStyler(color));

const every: PlanDocument = planOf(
  [
    {
      key: 'space.new',
      action: 'create',
      name: 'New',
      at: 'a.yaml:1:1',
      changes: [{ field: 'title', after: 'New', moved: 'file' }],
    },
    {
      key: 'space.old',
      action: 'update',
      id: 'spc_1',
      drops: ['space.former'],
      changes: [{ field: 'title', before: 'A', after: 'B', moved: 'live' }],
    },
    { key: 'space.found', action: 'adopt', id: 'spc_2', name: 'Found' },
    {
      key: 'section.docs/api (order)',
      address: 'section.docs/api',
      action: 'move',
      id: 's_1',
      beside: { after: 'section.docs/guide' },
    },
    { key: 'site.docs (type)', address: 'site.docs', action: 'unsupported', reason: 'it is "taken" once' },
    { key: 'space.same', action: 'none' },
    { key: 'team.gone', action: 'create', gone: 'team_9' },
    { key: 'collection.old', action: 'delete', id: 'col_1', name: 'Old', drops: ['collection.inner'] },
  ],
  [{ address: 'team.kept', kind: 'team', id: 'team_1' }],
);

describe('drawPlan', () => {
  it('writes a sign and a line for each step, and its fields', async () => {
    expect(await text(every)).toMatchInlineSnapshot(`
      "+ space.new "New"  a.yaml:1:1
          title: "New"
      ~ space.old (was space.former)
          title: "A" → "B" (changed in the organization)
      = space.found "Found" (spc_2)
      → section.docs/api (order) "section.docs/api (order)" after section.docs/guide
      ! site.docs (type) "site.docs (type)"
          it is "taken" once
      + team.gone (team_9 no longer exists)
      - collection.old "Old" (col_1) with collection.inner

      Plan: 2 to create, 1 to update, 1 to adopt, 1 to move, 1 to delete (and 1 inside it), 1 cannot be done here; 1 unchanged. At most 8 requests.
      No longer in the manifest, but kept without --prune: team.kept (team_1).
      "
    `);
  });

  it('names the field that would allow --prune to delete unmanaged resources', async () => {
    const document = {
      ...planOf([]),
      unmanaged: [
        { address: 'team.one', kind: 'team', id: 'team_1', field: 'teams', empty: '{}' },
        { address: 'team.two', kind: 'team', id: 'team_2', field: 'teams', empty: '{}' },
        { address: 'section.docs/x', kind: 'section', id: 's_1', parent: 'site.docs', field: 'sections', empty: '[]' }, // prettier-ignore
      ],
    } as const;
    expect(await text(document)).toBe(
      'No changes.\n' +
        'Kept even with --prune, because the manifest has no "teams": team.one (team_1), team.two (team_2). To delete with --prune, write "teams: {}" there.\n' +
        'Kept even with --prune, because site.docs has no "sections": section.docs/x (s_1). To delete with --prune, write "sections: []" there.\n',
    );
    expect(planMarkdown(document)).toContain('the manifest has no "teams": team.one');
  });

  it('colors the signs only if color is enabled', async () => {
    expect(await text(every)).not.toContain('\u001b');
    expect(await text(every, true)).toContain('\u001b[32m\u001b[1m+');
  });

  it('shows only the changed lines of long texts and lists', async () => {
    const long = (last: string) => `${Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join('')}${last}\n`;
    const document = planOf([
      {
        key: 'space.a',
        action: 'update',
        id: 'spc_1',
        changes: [
          { field: 'text', before: long('old\u001b[2J'), after: long('new'), moved: 'both' },
          { field: 'list', before: ['a'.repeat(60), 'b'.repeat(60)], after: ['a'.repeat(60)], moved: 'file' },
        ],
      },
    ]);
    const shown = await text(document);
    expect(shown).toContain(
      '    text: (changed in the file and in the organization)\n        line 18\n        line 19\n      - old\\u001b[2J\n      + new\n',
    );
    expect(shown).not.toContain('line 3');
    expect(shown).toContain(`      - - "${'b'.repeat(60)}"\n`);
  });

  it('shortens a new text that is too long', async () => {
    const document = planOf([
      {
        key: 'space.a',
        action: 'create',
        changes: [{ field: 'text', after: 'x\n'.repeat(5000), moved: 'file' }],
      },
    ]);
    expect((await text(document)).split('\n').length).toBeLessThan(60);
    expect(await text(document)).toContain('      + x\n        … 5000 lines, 10.0 KB\n');
  });

  it('shows the beginning and the size of long values, like planMarkdown', async () => {
    const pem = (letter: string) => `-----BEGIN-----\n${`${letter.repeat(64)}\n`.repeat(29)}-----END-----\n`;
    const members = Array.from({ length: 30 }, (_, n) => `person-${n}@acme.test`);
    const document = planOf([
      {
        key: 'saml.a',
        action: 'create',
        changes: [
          { field: 'certificate', after: pem('A'), moved: 'file' },
          { field: 'members', after: members, moved: 'file' },
        ],
      },
      {
        key: 'saml.b',
        action: 'update',
        id: 'saml_1',
        changes: [{ field: 'certificate', before: pem('A'), after: pem('B'), moved: 'file' }],
      },
      {
        key: 'saml.c',
        action: 'create',
        changes: [{ field: 'text', after: { schema: 'x'.repeat(300) }, moved: 'file' }],
      },
    ]);
    const shown = await text(document);
    expect(shown).toContain(
      '    certificate:\n      + -----BEGIN-----\n        … 31 lines, 1.9 KB\n    members:\n      + - "person-0@acme.test"\n',
    );
    expect(shown).toContain('      + - "person-7@acme.test"\n        … 22 more lines\n');
    expect(shown).toContain(
      '      - -----BEGIN-----\n        … 31 lines, 1.9 KB\n      + -----BEGIN-----\n        … 31 lines, 1.9 KB\n',
    );
    expect(shown).toMatch(/\+ schema: "x+… \(310 characters\)\n/);
    expect(planMarkdown(document)).toContain('+       -----BEGIN-----\n        … 31 lines, 1.9 KB\n');
    for (const all of [shown, planMarkdown(document)]) expect(all).not.toMatch(/A{64}|B{64}|person-8@/);
  });

  it('escapes control characters in titles and paths, like planMarkdown', async () => {
    const evil = 'a\u001b]0;x\u0007\u202eb\nc';
    const document = planOf(
      [
        {
          key: 'space.a',
          action: 'update',
          id: 'spc_1',
          name: evil,
          at: `${evil}:1:1`,
          reason: evil,
          changes: [{ field: 'title', before: evil, after: `${evil}${'y'.repeat(200)}`, moved: 'live' }],
        },
      ],
      [{ address: evil, kind: 'team', id: evil }],
    );
    for (const shown of [await text(document), planMarkdown(document)])
      expect(shown.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\p{Bidi_Control}]*$/u);
  });
});

describe('valueText', () => {
  it.each([
    [null, 'null'],
    ['a "b"', '"a \\"b\\""'],
    [{ site: { 'docsctl:ref': 'site.docs' } }, '{ site: !ref site.docs }'],
    [{ 'odd key': [1, true, {}], list: [] }, '{ "odd key": [1, true, {}], list: [] }'],
  ])('formats %j', (value, shown) => expect(valueText(value)).toBe(shown));
});

describe('planMarkdown', () => {
  it('counts steps by kind and collapses most groups', () => {
    expect(planMarkdown(every)).toMatchInlineSnapshot(`
      "### docsctl plan

      2 to create, 1 to update, 1 to adopt, 1 to move, 1 to delete (and 1 inside it), 1 cannot be done here; 1 unchanged. At most 8 requests.

      Organization \`org_1\` on \`\` sqlite:\`odd\` \`\`.

      |  | cannot be done | delete | create | adopt | update | move |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: |
      | team |  |  | 1 |  |  |  |
      | collection |  | 1 |  |  |  |  |
      | space |  |  | 1 | 1 | 1 |  |
      | site | 1 |  |  |  |  |  |
      | section |  |  |  |  |  | 1 |

      <details open><summary>Cannot be done here (1)</summary>

      \`\`\`diff
      # site.docs (type) "site.docs (type)"
      #     it is "taken" once
      \`\`\`

      </details>

      <details open><summary>Delete (1)</summary>

      \`\`\`diff
      - collection.old "Old" (col_1) with collection.inner
      \`\`\`

      </details>

      <details><summary>Create (2)</summary>

      \`\`\`diff
      + space.new "New" (a.yaml:1:1)
      +     title: "New"
      + team.gone (team_9 no longer exists)
      \`\`\`

      </details>

      <details><summary>Adopt (1)</summary>

      \`\`\`diff
      ! space.found "Found" (spc_2)
      \`\`\`

      </details>

      <details><summary>Update (1)</summary>

      \`\`\`diff
      ! space.old (was space.former)
      -     title: "A" (changed in the organization)
      +     title: "B"
      \`\`\`

      </details>

      <details><summary>Move (1)</summary>

      \`\`\`diff
      ! section.docs/api (order) "section.docs/api (order)" after section.docs/guide
      \`\`\`

      </details>

      No longer in the manifest, but kept without --prune: team.kept \\(team\\_1\\).
      "
    `);
  });

  it('reports that there are no changes', () => {
    expect(planMarkdown(planOf([{ key: 'space.same', action: 'none' }]))).toBe(
      '### docsctl plan\n\nNo changes.\n\nOrganization `org_1` on `` sqlite:`odd` ``.\n',
    );
  });

  it('escapes fences, HTML and mentions in titles', () => {
    const name = 'x ```` </details> <script> @ana';
    const shown = planMarkdown(
      planOf(
        [
          {
            key: 'space.a',
            action: 'create',
            name,
            changes: [{ field: 'title', after: name, moved: 'file' }],
          },
        ],
        [{ address: '<b>@ana', kind: 'team', id: 'x' }],
      ),
    );
    expect(shown).toContain('`````diff\n');
    expect(shown.match(/^`{5}$/gm)).toHaveLength(1);
    expect(shown).toContain('&#60;b&#62;\\@ana');
  });

  it('fits into a comment, and counts the steps that it leaves out', () => {
    const shown = planMarkdown(
      planOf(
        Array.from({ length: 3000 }, (_, n) => ({
          key: `space.s${n}`,
          action: 'create' as const,
          changes: [{ field: 'title', after: 'T'.repeat(50), moved: 'file' as const }],
        })),
      ),
    );
    expect(shown.length).toBeLessThan(65_000);
    expect(shown).toMatch(/\n\d{4} more steps are not shown here. Run `docsctl plan` to see all\.\n/);
  });
});
