import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nouns } from '../../../src/resources/index.ts';
import { docsctl } from '../../support/cli.ts';

const home = mkdtempSync(join(tmpdir(), 'docsctl-explain-'));
/** Runs without any store: the explanations come from the program itself. */
const explain = (...words: string[]) => docsctl(['explain', ...words], { home });
const rowsOf = async (...words: string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse((await explain(...words, '-o', 'json')).stdout).items;

describe('docsctl explain', () => {
  it('shows the fields of a resource, and the commands that set them', async () => {
    const rows = await rowsOf('spaces');
    expect(rows.find(({ field }) => field === 'title')).toEqual({
      field: 'title',
      type: 'text',
      setBy: ['create', 'update'],
      description: 'title of the space',
    });
    expect(rows.find(({ field }) => field === 'mergeRules.type')?.['type']).toBe('inherit|none or "rules"');
    const { stdout } = await explain('spaces');
    expect(stdout).toContain('title\ttext\tcreate, update\ttitle of the space\n');
  });

  it('shows the fields of a request, and which are required', async () => {
    const rows = await rowsOf('site.section.add');
    expect(rows[0]).toMatchObject({ field: 'spaceId', required: true });
    expect(rows).toEqual(await rowsOf('sites', 'sections', 'create'));
  });

  it('shows the required fields of a body that is one object or a list, and of nested objects', async () => {
    const rows = await rowsOf('conversations', 'ingest');
    const required = Object.fromEntries(rows.map((row) => [row['field'], row['required']]));
    expect(required).toMatchObject({ id: true, parts: true, subject: false, source: false, metadata: false });
    expect(required).toMatchObject({ 'parts.type': true, 'parts.body': true, 'metadata.url': false });
    expect((await explain('conversations', 'ingest')).stdout).toContain('id\ttext\ttrue\t');
    // A field that only one of several choices needs is not required.
    expect((await rowsOf('spaces', 'update')).map(({ field, required: is }) => [field, is])).toEqual(
      expect.arrayContaining([
        ['mergeRules', false],
        ['mergeRules.type', true],
        ['mergeRules.rules', false],
        ['mergeRules.rules.rule', true],
      ]),
    );
    expect(await rowsOf('sites.redirects.create')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'destination.kind', required: true }),
        expect.objectContaining({ field: 'destination.url', required: false }),
      ]),
    );
  });

  it('lists all choices of a field, and wraps descriptions on a terminal', async () => {
    expect((await explain('spaces.mergeRules')).stdout).toMatch(
      /rules\.rule\tchoice\t\tone of: .*require_up_to_date_change_request/,
    );
    const { stdout } = await docsctl(['explain', 'spaces', 'update'], { home, tty: true, columns: 60 });
    expect(stdout).not.toContain('…');
    expect(stdout.replace(/\s+/g, ' ')).toContain('mergeRules.rules.rule choice; required; one of: require');
    expect(stdout.replace(/\s+/g, ' ')).toContain('permissions of members and teams override this level');
  });

  it('shows one field with the fields inside it', async () => {
    const fields = (await rowsOf('spaces.mergeRules')).map(({ field }) => field);
    expect(fields).toContain('mergeRules.rules.rule');
    expect(fields.every((field) => String(field).startsWith('mergeRules'))).toBe(true);
  });

  it.each([
    [['nope'], 5, 'There is no resource "nope".'],
    [['section-groups'], 5, '`docsctl explain sites section-groups`'],
    [['spaces', 'titel'], 5, 'Did you mean title?'],
    [['spaces', 'updat'], 5, 'Did you mean update?'],
    [['spaces', 'restore'], 5, 'has no fields to explain'],
    [[], 64, 'resource'],
  ])('refuses %j', async (words, exit, text) => {
    expect(await explain(...words)).toMatchObject({
      exit,
      stdout: '',
      stderr: expect.stringContaining(text),
    });
  });

  it.each(nouns.filter(({ summary }) => summary !== '').map(({ words }) => words))(
    'explains %s',
    async (words) => {
      const { exit, stderr } = await explain(words);
      // A noun with actions only has no fields of its own.
      expect([0, 5], stderr).toContain(exit);
    },
  );
});
