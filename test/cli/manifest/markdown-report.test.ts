import { describe, expect, it } from 'vitest';
import { codeSpan, writeMarkdownReport } from '../../../src/cli/manifest/markdown-report.ts';

const report = (blocks: readonly string[], remarks: readonly string[] = []) =>
  writeMarkdownReport({
    command: 'plan',
    summary: '1 to create.',
    place: 'sqlite:docs.db',
    organization: 'org_1',
    groups: [
      { title: 'Delete', blocks: [], isOpen: true },
      { title: 'Create', blocks, isOpen: false },
    ],
    noun: 'step',
    remarks,
  });

const head = '### docsctl plan\n\n1 to create.\n\nOrganization `org_1` on `sqlite:docs.db`.\n';
const maxLength = 60_000;

describe('writeMarkdownReport', () => {
  it('writes a summary, collapsed groups and remarks', () => {
    expect(report(['+ space.guide\n'], ['kept: a_b'])).toBe(
      `${head}\n<details><summary>Create (1)</summary>\n\n\`\`\`diff\n+ space.guide\n\`\`\`\n\n</details>\n\nkept: a\\_b\n`,
    );
  });

  it('capitalizes the summary', () => {
    expect(report([]).split('\n')[2]).toBe('1 to create.');
  });

  it('leaves out blocks that exceed the maximum length, and counts them', () => {
    const room = maxLength - head.length;
    const fits = 'x'.repeat(room - 1);
    expect(report([fits])).toContain(fits);
    expect(report([fits])).not.toContain('not shown');
    expect(report([`${fits}x`])).toBe(
      `${head}\n1 more step is not shown here. Run \`docsctl plan\` to see all.\n`,
    );
    expect(report([fits, 'y', 'z'])).toContain(
      '\n2 more steps are not shown here. Run `docsctl plan` to see all.\n',
    );
  });

  it('counts remarks towards the maximum length', () => {
    const fits = 'x'.repeat(maxLength - head.length - 1);
    expect(report([fits], ['a remark'])).toBe(
      `${head}\n1 more step is not shown here. Run \`docsctl plan\` to see all.\n\na remark\n`,
    );
  });

  it('uses a longer fence if a block contains a fence', () => {
    expect(report(['```\n'])).toContain('````diff\n```\n````\n');
    expect(report(['``\n'])).toContain('\n```diff\n');
  });
});

it.each([
  ['a', '`a`'],
  ['a`b', '`` a`b ``'],
  ['``', '``` `` ```'],
  ['a\u001bb', '`a\\u001bb`'],
])('codeSpan writes %j as %s', (text, code) => {
  expect(codeSpan(text)).toBe(code);
});
