import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Compile } from 'typebox/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/richtext/yaml.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideStore()));
afterEach(() => desk.discard());

const put = (path: string, text: string): void => {
  mkdirSync(dirname(desk.at(path)), { recursive: true });
  writeFileSync(desk.at(path), text);
};
const ticket = (id: number, text = `mail a${id}@acme.test`) =>
  `${JSON.stringify({ ticket: id, title: `T ${id}`, text })}\n`;
const job =
  '{ files: support/*.ndjson, source: zendesk, map: { id: .ticket, subject: .title, body: .text, attributes: { n: .ticket } }, redact: [email], rejects: rejects.ndjson }';
const manifest = (jobs = job, more = '') =>
  put('docsctl.yaml', `version: 1\n${more}jobs:\n  conversations:\n    - ${jobs}\n`);
const apply = () => desk.run(['apply', '-y']);
const applyJson = async () =>
  JSON.parse((await desk.run(['apply', '-y', '-o', 'json'])).stdout) as {
    rows: unknown[];
    jobs: Record<string, unknown>[];
  };
const plan = () => desk.run(['plan', '--detailed-exitcode']);

it.each(['job', 'jbos', 'ingest'])(
  'the unknown field %s is not accepted as the former name of imports',
  async (name) => {
    put('docsctl.yaml', `version: 1\n${name}: {}\n`);
    const { exit, stderr } = await desk.run(['validate']);
    expect([exit, stderr]).toEqual([8, expect.stringContaining('expected one of org, imports, teams')]);
  },
);

it('the JSON Schema of manifests marks the former name of imports as deprecated', async () => {
  const { stdout } = await desk.done(['schema', 'manifest']);
  expect(stdout).toMatch(/"The former name of \\"imports\\"",\s*"deprecated": true/);
});

describe('imports of a manifest', () => {
  it('are shown by plan, and run by apply after all other steps', async () => {
    manifest(job, 'collections: { top: { title: Top } }\n');
    put('support/a.ndjson', ticket(1) + ticket(2));
    put('support/b.ndjson', ticket(3));
    expect(await desk.run(['validate'])).toMatchObject({
      exit: 0,
      stdout: 'Valid: 1 resource and 1 import in 1 file (1 collection); 1 warning.\n',
      stderr: expect.stringContaining('(deprecated-field)'),
    });
    expect(await plan()).toMatchObject({
      exit: 2,
      stdout: `+ collection.top "Top"  docsctl.yaml:2:16
    title: "Top"

Plan: 1 to create. At most 1 request.

> jobs.conversations[0]  docsctl.yaml:5:7
    + support/a.ndjson: 108 bytes
    + support/b.ndjson: 54 bytes

Imports: 162 bytes new in 2 files.
`,
    });
    const applied = await apply();
    expect(applied.exit).toBe(0);
    expect(applied.stdout.split('\n')[2]).toBe(
      'done\tingest\tjobs.conversations[0]\t\tRedacted 3 email. 3 new, 0 changed, 0 unchanged, 0 failed.',
    );
    expect(applied.stderr.trimEnd().split('\n').at(-1)).toBe(
      '1 done, 0 failed, 0 skipped, 0 unsupported; 0 unchanged. Imports: 3 new, 0 changed, 0 unchanged, 0 failed.',
    );
    expect(JSON.parse((await desk.done(['conversations', 'get', '2', '-o', 'json'])).stdout)).toMatchObject({
      conversation: { subject: 'T 2' },
      parts: [{ role: 'user', body: 'mail [email]' }],
      metadata: { attributes: { source: 'zendesk', n: '2' } },
    });
    expect(await plan()).toMatchObject({
      exit: 0,
      stdout: 'No changes.\nImports: nothing new in 2 files.\n',
    });
    expect((await applyJson()).jobs).toEqual([]);
    expect(existsSync(desk.at('rejects.ndjson'))).toBe(false);
  });

  it('read only appended records, but all records of a changed file or import', async () => {
    manifest();
    put('support/a.ndjson', ticket(1) + ticket(2));
    await apply();
    appendFileSync(desk.at('support/a.ndjson'), ticket(3));
    expect(await plan()).toMatchObject({
      exit: 2,
      stdout: expect.stringContaining('~ support/a.ndjson: 54 bytes new of 162 bytes'),
    });
    expect((await applyJson()).jobs).toEqual([
      {
        job: 'jobs.conversations[0]',
        files: ['support/a.ndjson'],
        status: 'done',
        created: 1,
        updated: 0,
        unchanged: 0,
        kept: 0,
        failed: 0,
        redacted: { email: 1 },
      },
    ]);
    put('support/a.ndjson', ticket(1, 'other') + ticket(2) + ticket(3));
    expect((await plan()).stdout).toContain(
      '~ support/a.ndjson: 150 bytes, changed since it was ingested, so it is read from the start again',
    );
    expect((await applyJson()).jobs).toMatchObject([{ created: 0, updated: 1, unchanged: 2 }]);
    manifest(job.replace('zendesk', 'desk'));
    expect((await applyJson()).jobs).toMatchObject([{ created: 0, updated: 3, unchanged: 0 }]);
    expect((await plan()).exit).toBe(0);
  });

  it('write rejected records to a file, which is never imported itself', async () => {
    manifest(job.replace('rejects: rejects', 'rejects: support/rejects'));
    put('support/a.ndjson', `${ticket(1)}{"ticket":2}\n`);
    expect((await apply()).exit).toBe(3);
    const rejects = () =>
      readFileSync(desk.at('support/rejects.ndjson'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { line: number; reason: string });
    expect(rejects()).toMatchObject([
      { file: 'support/a.ndjson', line: 2, reason: 'the record has no message (.text)' },
    ]);
    expect((await apply()).exit).toBe(0);
    appendFileSync(desk.at('support/a.ndjson'), '{"ticket":3}\n');
    const { stderr } = await apply();
    expect(stderr).toContain('support/a.ndjson:3: the record has no message (.text)');
    expect(stderr).not.toContain('ID of an earlier record');
    put('support/b.ndjson', ticket(7, 'one') + ticket(7, 'two'));
    expect((await apply()).stderr).toContain('warning: 1 record has the ID of an earlier record');
    expect(rejects().map(({ line }) => line)).toEqual([2, 3]);
  });

  it('ask for confirmation, and are skipped if a step failed', async () => {
    put('support/a.ndjson', ticket(1));
    manifest();
    expect(await desk.run(['apply'])).toMatchObject({
      exit: 9,
      stderr: expect.stringMatching(/Confirmation is required.*ingest 54 bytes new in 1 file/),
    });
    const { organization } = JSON.parse(
      (await desk.done(['orgs', 'create', '--title', 'Other', '--email', 'bo@acme.test', '-o', 'json']))
        .stdout,
    ) as {
      organization: { id: string };
    };
    await desk.done(['orgs', 'update', organization.id, '--hostname', 'taken']);
    manifest(job, 'org: { settings: { hostname: taken } }\n');
    const failed = await desk.run(['apply', '-y', '-o', 'json', '--org', 'Acme']);
    expect(failed.stderr).toContain('1 failed');
    expect(failed.exit).toBe(3);
    const { jobs } = JSON.parse(failed.stdout) as { jobs: unknown[] };
    expect(jobs).toEqual([
      {
        job: 'jobs.conversations[0]',
        files: ['support/a.ndjson'],
        status: 'skipped',
        because: expect.stringMatching(/^org/),
      },
    ]);
    expect((await desk.run(['conversations', 'get', '1', '--org', 'Acme'])).exit).toBe(5);
  });

  it('fail independently, each with its reason', async () => {
    put(
      'docsctl.yaml',
      'version: 1\njobs:\n  conversations:\n    - { files: none.csv }\n    - { files: bad.csv }\n    - { files: [good.csv], format: csv }\n    - { files: "empty/*" }\n',
    );
    put('bad.csv', 'nr,body\n1,x\n');
    put('good.csv', 'id,body\n1,x\n');
    mkdirSync(desk.at('empty'));
    expect((await plan()).stdout).toContain('! none.csv: none.csv does not exist.');
    const ran = await desk.run(['apply', '-y', '-o', 'json']);
    expect(ran.exit).toBe(3);
    expect(
      (
        JSON.parse(ran.stdout) as { jobs: { job: string; status: string; problem?: { message: string } }[] }
      ).jobs.map(({ job: name, status, problem }) => [name, status, problem?.message]),
    ).toEqual([
      ['jobs.conversations[0]', 'failed', 'none.csv does not exist.'],
      ['jobs.conversations[1]', 'failed', 'bad.csv has no column "id".'],
      ['jobs.conversations[2]', 'done', undefined],
    ]);
    expect(ran.stderr).toContain('2 of 3 imports not done.');
  });

  it('stop when they are interrupted, and continue later', async () => {
    manifest(job.replace('rejects: rejects.ndjson', 'onDuplicate: fail'));
    put('support/a.ndjson', Array.from({ length: 1200 }, (_, id) => ticket(id)).join(''));
    const controller = new AbortController();
    controller.abort();
    const stopped = await desk.run(['apply', '-y', '-o', 'json'], { signal: controller.signal });
    expect(stopped.exit).toBe(130);
    expect((await applyJson()).jobs).toMatchObject([{ status: 'done', created: 1200 }]);
  });

  it('are in the plan as JSON, CSV and Markdown, but not in a saved plan', async () => {
    manifest();
    put('support/a.ndjson', ticket(1));
    const planned = {
      job: 'jobs.conversations[0]',
      at: 'docsctl.yaml:4:7',
      files: [{ file: 'support/a.ndjson', state: 'new', bytes: 54, new: 54 }],
    };
    expect(JSON.parse((await desk.done(['plan', '-o', 'json'])).stdout)).toMatchObject({
      counts: { create: 0 },
      jobs: [planned],
    });
    expect((await desk.done(['plan', '-o', 'markdown'])).stdout).toContain(
      '#### Imports\n\n| import | file | | new |\n| --- | --- | --- | ---: |\n| jobs.conversations[0] | `support/a.ndjson` | new | 54 bytes |\n\n54 bytes new in 1 file.\n',
    );
    expect((await desk.done(['plan', '-o', 'csv'])).stdout).toContain(
      'ingest,jobs.conversations[0],support/a.ndjson,,docsctl.yaml:4:7',
    );
    expect((await desk.done(['plan', '--out', 'plan.json'])).stderr).toContain(
      'The saved plan leaves out the conversations under `imports:`. To import them, run `docsctl apply`.',
    );
    expect(readFileSync(desk.at('plan.json'), 'utf8')).not.toContain('jobs');
    await desk.done(['apply', 'plan.json', '-y']);
    expect((await plan()).exit).toBe(2);
    expect((await desk.done(['apply', '--dry-run'])).stdout).toContain('Imports: 54 bytes new in 1 file.');
    expect((await plan()).exit).toBe(2);
  });

  it.each([
    ['{ file: a }', '4:9: "file" is not a known field; did you mean "files"?'],
    ['{ source: a }', '4:7: the field "files" is required'],
    ['{ files: [] }', '4:16: this list has 0 items; at least 1 are required'],
    ['{ files: a, map: { titel: .b } }', '"titel" is not a known field'],
    ['{ files: a, map: { id: .b..c } }', '4:30: ".b..c" is not a path'],
    ['{ files: a, map: { attributes: { x: . } } }', '4:43: "." is not a path'],
    ['{ files: a, roles: { bot: boss } }', '4:33: '],
    ['{ files: a, redact: [emial] }', '4:28: '],
    ['{ files: a, onDuplicate: merge }', '4:32: '],
    ['{ files: ../a.csv }', `4:16: "../a.csv" is outside the folder of the manifest`],
    ['{ files: "../x/*.csv" }', `4:16: "../x" is outside the folder of the manifest`],
    ['{ files: .git/config }', '4:16: ".git/config" is hidden or in a hidden folder'],
    ['{ files: "*/.git/*" }', '4:16: "*/.git/*" is hidden or in a hidden folder'],
    ['{ files: "*/../../x" }', '4:16: "*/../../x" uses ".." after a pattern'],
    ['{ files: /etc/passwd }', '4:16: "/etc/passwd" is absolute'],
    ['{ files: a, rejects: ../r }', '4:28: "../r" is outside the folder'],
  ])('are refused with the position of the mistake: %s', async (text, message) => {
    manifest(text);
    const ran = await desk.run(['validate']);
    expect(ran.exit).toBe(8);
    expect(ran.stderr).toContain(
      `docsctl.yaml:${message.replace(/^(?=")/, '')}`.replace(/^docsctl\.yaml:"/, '"'),
    );
  });

  it('do not read through symbolic links, and refuse a file that belongs to two imports', async () => {
    put('in/a.csv', 'id,body\n1,x\n');
    writeFileSync(`${desk.home}/secret.csv`, 'id,body\n2,x\n');
    symlinkSync(`${desk.home}/secret.csv`, desk.at('in/b.csv'));
    symlinkSync(desk.home, desk.at('out'));
    manifest('{ files: ["in/*.csv", in/b.csv, out/secret.csv] }');
    const ran = await desk.run(['plan', '-o', 'json']);
    expect(
      (JSON.parse(ran.stdout) as { jobs: [{ files: { file: string; state: string }[] }] }).jobs[0].files.map(
        ({ file, state }) => [file, state],
      ),
    ).toEqual([
      ['in/a.csv', 'new'],
      ['in/b.csv', 'unreadable'],
      ['out/secret.csv', 'unreadable'],
    ]);
    await apply();
    expect((await desk.run(['conversations', 'get', '2'])).exit).toBe(5);
    manifest('{ files: in/a.csv }\n    - { files: in/* }');
    expect((await plan()).stderr).toContain(
      'docsctl.yaml:5:7: in/a.csv already belongs to the import at docsctl.yaml:4:7.',
    );
  });

  it('with groupBy send the whole conversation again if a message was added', async () => {
    manifest('{ files: in/c.ndjson, groupBy: t }');
    put('in/c.ndjson', '{"t":1,"body":"a"}\n{"t":2,"body":"b"}\n');
    expect((await applyJson()).jobs).toMatchObject([{ created: 2, updated: 0 }]);
    appendFileSync(desk.at('in/c.ndjson'), '{"t":1,"body":"c"}\n');
    expect((await applyJson()).jobs).toMatchObject([{ created: 0, updated: 1, unchanged: 0 }]);
    const { stdout } = await desk.done(['conversations', 'get', '1', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ parts: [{ body: 'a' }, { body: 'c' }] });
    manifest('{ files: in/c.ndjson, groupBy: t, idFrom: content }');
    expect((await plan()).stderr).toContain('"groupBy" and "idFrom" cannot be used together');
  });

  it('are described in the JSON Schema for editors', async () => {
    const schema = Compile(JSON.parse((await desk.done(['schema', 'manifest'])).stdout) as never) as {
      Check: (value: unknown) => boolean;
    };
    const fits = (text: string) =>
      schema.Check(parseYaml(`version: 1\njobs: { conversations: [${text}] }`, 'test'));
    expect(
      [
        job,
        '{ files: [a, b], format: csv, idFrom: content, roles: { "*": user } }',
        '{ files: a, groupBy: t }',
      ].map(fits),
    ).toEqual([true, true, true]);
    expect(
      ['{}', '{ files: a, on: b }', '{ files: a, redact: [x] }', '{ files: a, map: { x: .a } }'].map(fits),
    ).toEqual([false, false, false, false]);
  });
});
