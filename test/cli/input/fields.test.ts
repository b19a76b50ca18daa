import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf } from '../../support/cli.ts';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
  mkdirSync(desk.at('folder.json'));
  const files: Readonly<Record<string, string | Buffer>> = {
    'text.json': '"text"',
    'broken.json': '{ "title": ',
    'broken.yaml': 'title: [a',
    'latin.json': Buffer.from([0x22, 0xe9, 0x22]),
    'empty.json': '',
    'unknown.json': '{ "titel": "A" }',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(desk.at(name), content);
});
afterAll(() => desk.discard());

/** Returns the exit code of a refused command, and the first line of its error. */
const refusal = async (words: readonly string[], input?: string): Promise<string> => {
  const { exit, stdout, stderr } = await desk.run(words, input === undefined ? {} : { input });
  expect(stdout).toBe('');
  return `${exit} ${stderr.split('\n')[0]!.replaceAll(desk.home, 'HOME')}`;
};

describe('the fields of a request', () => {
  it('are refused with a clear error if they cannot be read', async () => {
    const update = ['spaces', 'update', 'Guide'];
    const cases: [readonly string[], string?][] = [
      [[...update, '--unset', 'nothing']],
      [[...update, '--unset', 'title']],
      [[...update, '--body', 'text.json']],
      [[...update, '--body', 'broken.json']],
      [[...update, '--body', 'broken.yaml']],
      [[...update, '--body', 'latin.json']],
      [[...update, '--body', 'empty.json']],
      [[...update, '--body', 'folder.json']],
      [[...update, '--body', 'missing.json']],
      [[...update, '--body', 'unknown.json']],
      [[...update, '--body', '-'], '[1'],
      [[...update, '--title']],
      [[...update, '--merge-rules', '{']],
      [['change-requests', 'merge', '1', '--space', 'Guide', '--edited', 'start']],
      [['audit', 'keep', 'ten']],
      [['spaces', 'list', '--limit', 'many']],
      [['spaces', 'list', '--limit', '1001']],
      [['spaces', 'get', '-'], ''],
    ];
    const told: string[] = [];
    for (const [words, input] of cases) told.push(`${words.join(' ')}: ${await refusal(words, input)}`);
    expect(told).toMatchInlineSnapshot(`
      [
        "spaces update Guide --unset nothing: 8 error: --unset: there is no field "nothing".",
        "spaces update Guide --unset title: 8 error: --unset: the value of "title" cannot be removed.",
        "spaces update Guide --body text.json: 8 error: text.json holds neither an object nor a list.",
        "spaces update Guide --body broken.json: 8 error: broken.json, line 1, column 11: not valid JSON: the text ends too early.",
        "spaces update Guide --body broken.yaml: 8 error: broken.yaml, line 1, column 10: not valid YAML: the list that begins with [ in line 1, column 8 is not closed; add ].",
        "spaces update Guide --body latin.json: 8 error: latin.json is not UTF-8 text.",
        "spaces update Guide --body empty.json: 8 error: empty.json is empty.",
        "spaces update Guide --body folder.json: 8 error: folder.json is a folder, not a file.",
        "spaces update Guide --body missing.json: 8 error: --body reads a file, but "missing.json" does not exist.",
        "spaces update Guide --body unknown.json: 8 error: unknown.json: titel is not a known field (did you mean title?).",
        "spaces update Guide --body -: 8 error: Standard input, line 1, column 3: not valid YAML: the list that begins with [ in line 1, column 1 is not closed; add ].",
        "spaces update Guide --title: 64 error: --title needs a value.",
        "spaces update Guide --merge-rules {: 8 error: --merge-rules takes JSON, but this is not valid JSON: {",
        "change-requests merge 1 --space Guide --edited start: 8 error: --edited takes PAGE=@FILE, not "start".",
        "audit keep ten: 8 error: The argument "days" takes a number, not "ten".",
        "spaces list --limit many: 8 error: --limit takes a number, not "many".",
        "spaces list --limit 1001: 8 error: --limit 1001 must be at most 1000.",
        "spaces get -: 64 error: Standard input is empty.",
      ]
    `);
  });
});

it('JSON that is nested too deeply is refused, also in --set', async () => {
  const deep = '['.repeat(20_000);
  for (const words of [
    ['--merge-rules', deep],
    ['--set', `mergeRules=${deep}`],
  ])
    expect(await refusal(['spaces', 'update', 'Guide', ...words])).toBe(
      '8 error: The JSON is nested more than 64 levels deep.',
    );
});

it('--unset sends null or an empty list, and --set accepts lists, true and false', async () => {
  const sent = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await desk.done([...words, '--dry-run', '-o', 'json'])).stdout).body;
  expect(await sent('orgs', 'update', '--unset', 'email-domains', '--unset', 'logo')).toEqual({
    emailDomains: [],
    logo: null,
  });
  expect(await sent('orgs', 'update', '--set', 'emailDomains=["example.com"]')).toEqual({
    emailDomains: ['example.com'],
  });
  for (const ai of [true, false]) expect(await sent('orgs', 'update', '--set', `ai=${ai}`)).toEqual({ ai });
  const { stdout } = await desk.done(['integrations', 'installations', 'update', '--help']);
  expect(stdout.replace(/\s+/g, ' ')).toContain('such as --unset external-ids (repeatable)');
});

it('"@" and "-" are plain text with literalValues, as for MCP clients', async () => {
  await desk.publish(page('Start', 'x\n'));
  writeFileSync(desk.at('secret.txt'), 'the secret');
  const { number } = JSON.parse(
    (await desk.done(['cr', 'create', '--space', 'Guide', '-o', 'json'])).stdout,
  ) as { number: number };
  for (const [value, text] of [
    ['@secret.txt', 'the secret'],
    ['-', 'from standard input'],
  ] as const) {
    for (const words of [
      ['spaces', 'update', 'Guide', `--title=${value}`],
      ['cr', 'merge', String(number), '--space', 'Guide', `--edited=start=${value}`],
    ]) {
      const sent = async (literalValues: boolean) => {
        const { runtime, out } = runtimeOf([...words, '--dry-run', '-o', 'json'], {
          ...desk.options,
          input: text,
        });
        expect(await run({ ...runtime, literalValues })).toBe(0);
        return out.bytes().toString();
      };
      expect(await sent(false)).toContain(`"${text}"`);
      const literal = await sent(true);
      expect(literal).toContain(`"${value}"`);
      expect(literal).not.toContain(text);
    }
  }
});

it('options for parts of a field accept dates and periods', async () => {
  await desk.done(['sites', 'create', 'Docs']);
  const count = ['sites', 'events', 'aggregate', 'Docs'];
  await desk.done([...count, '--from', '7d', '--to', '0d']);
  expect(await refusal([...count, '--from', '2026-01-02', '--to', '2026-01-01'])).toBe(
    '8 error: The range ends before it starts: 2026-01-02T00:00:00.000Z is after 2026-01-01T00:00:00.000Z.',
  );
  expect(await refusal([...count, '--from', 'soon', '--to', '0d'])).toBe(
    '8 error: --from "soon" is not a valid date-time, such as 2026-02-24T15:02:39Z.',
  );
});

it('a repeated option sends one change for each value', async () => {
  const words = [
    'cr',
    'content',
    'update',
    '1',
    '--space',
    'Guide',
    '--insert-page',
    'A',
    '--insert-page',
    'B',
  ];
  const { stdout } = await desk.done([...words, '--dry-run', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ body: { changes: [{ title: 'A' }, { title: 'B' }] } });
});
