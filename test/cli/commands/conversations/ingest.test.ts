import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openGuideStore, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

const put = (name: string, text: string): void => writeFileSync(desk.at(name), text);
const ingest = (...words: string[]) => desk.run(['conversations', 'ingest', ...words]);
const waiting =
  'The conversations are not analyzed yet. If a server uses this store, the server analyzes them. Otherwise, run `docsctl jobs run`.\n';
const get = async (id: string) =>
  JSON.parse((await desk.done(['conversations', 'get', id, '-o', 'json'])).stdout) as {
    conversation: { subject?: string };
    parts: { body: string }[];
    metadata: object;
  };
const tickets =
  'Ticket ID;Subject;Description;attributes.plan\r\n71;"Hi; ""you""";"line 1\r\nann@acme.test";pro\r\n72;;call 555-123-4567;\r\n73;x\r\n';

describe('conversations ingest', () => {
  it('names the line of a rejected item of a list, or its record number', async () => {
    put('list.yaml', '- id: y1\n  parts: [{ type: message, role: user, body: Hi }]\n- 3\n- text\n');
    const yaml = await ingest('list.yaml', '--rejects', 'list.ndjson');
    expect(yaml.exit).toBe(3);
    expect(yaml.stderr).toContain(
      'list.yaml:3: the record is not an object\nlist.yaml:4: the record is not an object\n',
    );
    expect(readFileSync(desk.at('list.ndjson'), 'utf8')).toContain('"line":4,');
    put('list.json', '[3, 4]');
    expect((await ingest('list.json', '--rejects', 'list.ndjson', '--resume')).stderr).toContain(
      'list.json:1 (record 1): the record is not an object\nlist.json:1 (record 2): the record is not an object\n',
    );
    expect(readFileSync(desk.at('list.ndjson'), 'utf8')).toContain('"record":2,');
    put('field.yaml', 'id: y2\nparts: Hi\n');
    expect((await ingest('field.yaml')).stderr).toContain('field.yaml:1: parts must be an array\n');
  });

  it('accepts conversations that were printed from another organization, even without a subject', async () => {
    const both = await openGuideStore();
    onTestFinished(() => both.discard());
    const write = (name: string, text: string): void => writeFileSync(both.at(name), text);
    await both.done(['orgs', 'create', '--title', 'Copies']);
    write('one.ndjson', '{"id":"lone","parts":[{"type":"message","role":"user","body":"Hi"}]}\n');
    await both.done(['conversations', 'ingest', 'one.ndjson', '--org', 'Acme']);
    const query =
      'items[].{id: conversation.id, subject: conversation.subject, metadata: metadata, parts: parts}';
    const words = ['conversations', 'get', '-', '--org', 'Acme', '-o', 'ndjson', '--query', query];
    const { stdout } = await both.done(words, { input: 'lone\n' });
    expect(stdout).toContain('"subject":null');
    write('copy.ndjson', stdout);
    const { stderr } = await both.done(['conversations', 'ingest', 'copy.ndjson', '--org', 'Copies']);
    expect(stderr).toContain('1 new, 0 changed');
    expect((await both.done(['conversations', 'list', '--org', 'Copies', '-o', 'id'])).stdout).toBe('lone\n');
  });

  it('lists the formats that it reads for a file of another format, without a hint to resume', async () => {
    for (const [name, text] of [
      ['README.md', '---\ntitle: Guide\n---\n# Guide\n\n- one: two: three\n'],
      ['notes.txt', '# Notes\n\nRead this.\n'],
      ['broken.txt', 'a: b: c\n'],
    ] as const) {
      put(name, text);
      const { exit, stderr } = await ingest('-f', name);
      expect([exit, stderr]).toEqual([
        8,
        `error: ${name} was not recognized as NDJSON, JSON, YAML or CSV.\nhint: Name the format with --format ndjson, json, yaml, csv or tsv, or give another file.\n`,
      ]);
    }
  });

  it('suggests a command that reads a compressed file', async () => {
    for (const [name, format] of [
      ['zip.csv.gz', 'csv'],
      ['zip.JSON.gz', 'json'],
      ['zip.gz', 'FORMAT'],
      ['zip.csv', 'csv'],
    ] as const) {
      writeFileSync(desk.at(name), gzipSync('id,body\nz1,Hi\n'));
      expect((await ingest(name)).stderr).toBe(
        `error: ${name} is compressed.\nhint: Decompress it: \`gunzip < ${name} | docsctl conversations ingest -f - --format ${format}\`\n`,
      );
    }
  });

  it('suggests --resume only if some conversations were stored', async () => {
    put('half.yaml', 'id: q1\nparts: [{ type: message, role: user, body: Hi }]\n---\na: b: c\n');
    const half = await ingest('half.yaml');
    expect(half.exit).toBe(8);
    expect(half.stderr).toContain('Correct the file, and run the command again with --resume to continue.');
    put('none.yaml', 'id: q2\n---\na: b: c\n');
    const none = await ingest('none.yaml');
    expect(none.exit).toBe(8);
    expect(none.stderr).not.toContain('--resume');
  });

  it('deletes messages only if a record has an empty list of messages', async () => {
    put('desk.csv', 'id,subject,body,plan\ndesk1,Cannot log in,Help!,pro\ndesk2,Crash,,pro\n');
    const plan = ['--map', 'attributes.plan=plan'];
    expect((await ingest('desk.csv', ...plan)).stderr).toContain('2 new, 0 changed, 0 unchanged, 0 failed.');
    put('desk.csv', 'id,subject,body,plan\ndesk1,Cannot log in,,pro\ndesk2,Crash,,free\ndesk3,New,,pro\n');
    const again = await ingest('desk.csv', ...plan);
    expect(again.exit).toBe(3);
    expect(again.stderr).toContain(
      'desk.csv:2: the record has no message, but the conversation already has messages; to delete them, ingest its ID with "parts": []\n',
    );
    expect(again.stderr).toContain('1 new, 1 changed, 0 unchanged, 1 failed.');
    expect((await get('desk1')).parts).toEqual([{ type: 'message', role: 'user', body: 'Help!' }]);
    expect(await get('desk2')).toMatchObject({ parts: [], metadata: { attributes: { plan: 'free' } } });
    put('gone.ndjson', '{"id":"desk1","parts":[]}\n');
    expect((await ingest('gone.ndjson')).exit).toBe(0);
    expect(await get('desk1')).toMatchObject({ parts: [], conversation: { id: 'desk1' } });
  });

  it('suggests --map if no record has the fields of the API', async () => {
    put('bare.ndjson', '{"id":"b1","body":"x"}\n');
    const { exit, stderr } = await ingest('bare.ndjson');
    expect([exit, stderr]).toEqual([3, expect.stringContaining('map them: `--map id=FIELD`')]);
    const dry = await ingest('bare.ndjson', '--dry-run');
    expect([dry.exit, dry.stderr]).toEqual([3, expect.stringContaining('map them: `--map id=FIELD`')]);
    expect((await ingest('bare.ndjson', '--map', 'body=body')).exit).toBe(0);
  });

  it.each([
    ['a role', '{"id":"r1","parts":[{"type":"message","role":"it is required","body":"x"}]}', false],
    ['a value', '{"id":"r1","parts":[{"type":"message","role":"user","body":1}]}', false],
    ['another field of a message', '{"id":"r1","parts":[{"type":"message","role":"user","text":"x"}]}', true],
  ])('suggests --map for unknown fields, but not for invalid values: %s', async (_, record, isAdvised) => {
    put('wrong.ndjson', `${record}\n`);
    const { exit, stderr } = await ingest('wrong.ndjson');
    expect([exit, stderr.includes('map them: ')]).toEqual([3, isAdvised]);
  });

  it('recognizes common names of roles without --map, and suggests --role for others', async () => {
    const record = (id: string, role: string) =>
      `{"id":"${id}","parts":[{"type":"message","role":"${role}","body":"x"}]}\n`;
    put('roles.ndjson', record('r1', 'Customer') + record('r2', 'wizard'));
    const { exit, stderr } = await ingest('roles.ndjson');
    expect([exit, stderr]).toEqual([
      3,
      expect.stringContaining('has a message whose role "wizard" is not known; add --role "wizard"=user'),
    ]);
    expect((await get('r1')).parts).toEqual([{ type: 'message', role: 'user', body: 'x' }]);
    expect((await ingest('roles.ndjson', '--role', 'wizard=user')).exit).toBe(0);
  });

  it('notes that an object was read as one conversation if its list has an unknown name', async () => {
    put('other.json', '{"tikets":[{"id":"b1","body":"x"}]}');
    const { exit, stderr } = await ingest('other.json');
    expect([exit, stderr]).toEqual([
      3,
      expect.stringContaining('If "tikets" is a list of conversations, name it "conversations".'),
    ]);
    expect((await ingest('other.json', '--dry-run')).stderr).toContain('If "tikets" is a list');
    expect((await ingest('other.json', '--map', 'id=id')).stderr).toContain(
      'name it "conversations". The first record has: tikets.',
    );
    put('one.ndjson', '{"id":"r1","parts":[{"type":"message","role":"user","text":"x"}]}\n');
    expect((await ingest('one.ndjson')).stderr).not.toContain('as one conversation');
  });

  it('reads a Freshdesk ticket as one conversation with the messages of its list', async () => {
    const ticket = '"description_text":"Help!","conversations":[{"body_text":"Hi","incoming":false}]';
    put('ticket.json', `{"id":901,${ticket}}`);
    put('tickets.yaml', `{"id":902,${ticket}}\n---\n{"id":903,${ticket}}\n`);
    expect((await ingest('ticket.json', 'tickets.yaml')).stderr).toContain('3 new, 0 changed');
    expect((await get('901')).parts.map(({ body }) => body)).toEqual(['Help!', 'Hi']);
  });

  it('suggests --map only if a record has other fields', async () => {
    put('cut.ndjson', '{"id":"b1",\n');
    const { exit, stderr } = await ingest('cut.ndjson');
    expect([exit, stderr]).toEqual([3, expect.not.stringContaining('--map')]);
  });

  it('reads CSV, maps its columns, redacts texts, and reports rejected rows', async () => {
    put('tickets.csv', tickets);
    const ran = await ingest(
      'tickets.csv',
      '--map',
      'id=Ticket ID',
      '--map',
      'body=Description',
      '--redact',
      'email,phone',
      '--rejects',
      'no.ndjson',
      '-o',
      'json',
    );
    expect(ran.exit).toBe(3);
    expect(JSON.parse(ran.stdout)).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
      failed: 1,
      redacted: { email: 1, phone: 1 },
    });
    expect(ran.stderr).toContain('tickets.csv:5: the row has 2 cells, and there are 4 columns');
    expect(ran.stderr).toContain('All rejected records are in no.ndjson.');
    expect(ran.stderr).toContain('Redacted 1 email, 1 phone. 2 new, 0 changed, 0 unchanged, 1 failed.');
    expect(JSON.parse(readFileSync(desk.at('no.ndjson'), 'utf8'))).toEqual({
      file: 'tickets.csv',
      line: 5,
      reason: 'the row has 2 cells, and there are 4 columns',
      value: { 'Ticket ID': '73', Subject: 'x' },
    });
    expect(await get('71')).toMatchObject({
      conversation: { subject: 'Hi; "you"' },
      parts: [{ body: 'line 1\r\n[email]' }],
      metadata: { attributes: { plan: 'pro' } },
    });
    expect((await get('72')).parts).toEqual([{ type: 'message', role: 'user', body: 'call [phone]' }]);
  });

  it('reads files of every format by a pattern, and standard input', async () => {
    mkdirSync(desk.at('in'));
    put('in/a.json', JSON.stringify({ items: [{ id: 'p1', parts: [] }] }));
    put('in/b.yaml', '---\nid: p2\nparts: []\n---\nid: p3\nparts: []\n');
    put('in/c.jsonl', '{"id":"p4","parts":[]}\n');
    symlinkSync(desk.at('tickets.csv'), desk.at('in/d.csv'));
    expect((await ingest('in/*', '--source', 'desk')).stderr).toBe(
      waiting + '4 new, 0 changed, 0 unchanged, 0 failed.\n',
    );
    expect((await get('p3')).metadata).toEqual({ attributes: { source: 'desk' } });
    const ran = await desk.run(
      ['conversations', 'ingest', '-f', '-', '--format', 'tsv', '--id-from', 'content', '-o', 'json'],
      { input: 'body\tsubject\nHi\tA\nHi\tA\nHi\tB\n' },
    );
    expect(JSON.parse(ran.stdout)).toEqual({ created: 2, updated: 0, unchanged: 1, failed: 0 });
  });

  it('redacts the file of rejected records, except their IDs', async () => {
    put('bad.ndjson', '{"id":"ann@acme.test","parts":"bo@acme.test"}\n{"id": "cy@acme.test\n');
    const { stderr } = await ingest('bad.ndjson', '--redact', 'email', '--rejects', 'bad.rejects');
    expect(stderr).not.toMatch(/(bo|cy)@acme/);
    const [first, second] = readFileSync(desk.at('bad.rejects'), 'utf8').trim().split('\n') as [
      string,
      string,
    ];
    expect(JSON.parse(first)).toMatchObject({ line: 1, value: { id: 'ann@acme.test', parts: '[email]' } });
    expect(second).not.toContain('cy@');
  });

  it('replaces, skips or refuses conversations that exist with different content', async () => {
    const one = (body: string) =>
      JSON.stringify({ id: 'dup', parts: [{ type: 'message', role: 'user', body }] });
    const input = `${one('1')}\n${one('2')}\n${one('1')}\n`;
    const run = (...words: string[]) =>
      desk.run(['conversations', 'ingest', '-f', '-', ...words, '-o', 'json'], { input });
    expect(JSON.parse((await run('--on-duplicate', 'skip')).stdout)).toEqual({
      created: 1,
      updated: 0,
      unchanged: 1,
      kept: 1,
      failed: 0,
    });
    const failed = await run('--on-duplicate', 'fail');
    expect([failed.exit, JSON.parse(failed.stdout)]).toEqual([
      3,
      { created: 0, updated: 0, unchanged: 2, failed: 1 },
    ]);
    expect(failed.stderr).toContain('-:2: already exists with different content');
    expect((await get('dup')).parts[0]!.body).toBe('1');
    expect(JSON.parse((await run()).stdout)).toEqual({ created: 0, updated: 2, unchanged: 1, failed: 0 });
  });

  it('warns that records with the same ID replace each other', async () => {
    const warning =
      'warning: 2 records have the ID of an earlier record, and docsctl stores only one record of each ID. If each record is one message, use --group-by id.\n';
    put('rows.csv', 'id,body\nm1,Help!\nm2,Hi\nm1,With what?\nm1,My card\n');
    expect((await ingest('rows.csv', '--dry-run')).stderr).toBe(
      `${warning}Dry run: nothing was sent. 4 conversations would be sent, 0 rejected.\n`,
    );
    expect((await ingest('rows.csv')).stderr).toBe(
      `${warning}${waiting}2 new, 2 changed, 0 unchanged, 0 failed.\n`,
    );
    expect((await ingest('rows.csv', '--on-duplicate', 'skip')).stderr).toContain(warning);
    put('rows.csv', 'id,body\nm3,Hi\nm3,Hi\nm3,Hi\n');
    expect((await ingest('rows.csv')).stderr).not.toContain('warning');
  });

  describe('with one message per record', () => {
    const rows =
      'nr,ticket,who,text,at,title\n1,g1,customer,Help!,2026-01-02 10:00,Card\n2,g2,agent,Hello,2026-01-02 10:03,\n3,g1,agent,"With\nwhat?",2026-01-02 10:01,Other\n4,g2,customer,Hi,2026-01-02 10:02,Login\n';
    const maps = ['body=text', 'role=who', 'createdAt=at', 'subject=title'].flatMap((map) => ['--map', map]);
    const message = (role: string, body: string) => ({ type: 'message', role, body });

    it('creates a conversation from the records with the same ID, in the order of their times', async () => {
      put('g.csv', rows);
      expect((await ingest('g.csv', '--group-by', 'ticket', ...maps)).stderr).toBe(
        `${waiting}2 new, 0 changed, 0 unchanged, 0 failed.\n`,
      );
      expect(await get('g1')).toMatchObject({
        conversation: { subject: 'Card' },
        metadata: { createdAt: '2026-01-02T10:00:00Z' },
        parts: [message('user', 'Help!'), message('team-member', 'With\nwhat?')],
      });
      expect(await get('g2')).toMatchObject({
        conversation: { subject: 'Login' },
        parts: [message('user', 'Hi'), message('team-member', 'Hello')],
      });
      const record = (ticket: number, body: string) => ({ id: body, conversation: { nr: ticket }, body });
      const records = [record(7, 'a'), record(8, 'b'), record(7, 'c')];
      put('g.json', JSON.stringify(records, null, 1));
      put('g.ndjson', records.map((each) => JSON.stringify(each)).join('\n'));
      const words = ['--group-by', '.conversation.nr'];
      expect((await ingest('g.json', ...words)).stderr).toContain('2 new, 0 changed');
      expect((await ingest('g.ndjson', ...words)).stderr).toContain('0 new, 0 changed, 2 unchanged');
      expect((await get('7')).parts.map(({ body }) => body)).toEqual(['a', 'c']);
    });

    it('rejects a whole conversation for one invalid record, with the line of this record', async () => {
      put('g.csv', `${rows}5,g3,customer,x,,\n6,g3,wizard,y,,\n7,,customer,z,,\n8,g4,customer,,,\n9,g5\n`);
      const ran = await ingest(
        'g.csv',
        '--group-by',
        'ticket',
        ...maps,
        '--dry-run',
        '--rejects',
        'g.rejects',
      );
      expect(ran.stderr).toContain('g.csv:8: the record has a message whose role "wizard" is not known');
      expect(ran.stderr).toContain('g.csv:9: the record has no ID (ticket)\n');
      expect(ran.stderr).toContain('g.csv:10: the record has no message (text)\n');
      expect(ran.stderr).toContain('g.csv:11: the row has 2 cells, and there are 6 columns\n');
      expect(ran.stderr).toContain('2 conversations would be sent, 4 rejected.');
      const [first] = readFileSync(desk.at('g.rejects'), 'utf8').split('\n');
      expect(JSON.parse(first!)).toMatchObject({ line: 8, value: [{ text: 'x' }, { text: 'y' }] });
    });

    it('warns of a conversation in two files, and refuses options that cannot be combined', async () => {
      put('g1.csv', 'id,body\n1,a\n1,b\n');
      put('g2.csv', 'id,body\n1,c\n');
      expect((await ingest('g1.csv', 'g2.csv', '--group-by', 'id', '--dry-run')).stderr).toContain(
        'warning: 1 conversation is in several files, and docsctl stores the messages of only one file.',
      );
      const both = await ingest('g1.csv', '--group-by', 'id', '--id-from', 'content');
      expect([both.exit, both.stderr]).toEqual([
        64,
        expect.stringContaining('--group-by and --id-from cannot be used together.'),
      ]);
      const twice = await ingest('g1.csv', '--group-by', 'id', '--map', 'id=body');
      expect([twice.exit, twice.stderr]).toEqual([
        8,
        'error: The target "id" is given twice.\nhint: With --group-by, remove --map id.\n',
      ]);
      expect((await ingest('g1.csv', '--group-by', 'ids')).stderr).toContain(
        'g1.csv has no column "ids" for id; did you mean "id"?',
      );
    });
  });

  it('reads CSV files whose first column has no name and numbers the rows', async () => {
    put('numbered.csv', ',id,body\n0,n1,Hi\n1,n2,\n');
    expect((await ingest('numbered.csv')).stderr).toContain(
      'numbered.csv:3: the record has no message (body)',
    );
    expect((await get('n1')).parts[0]!.body).toBe('Hi');
    put('numbered.csv', ',nr,body\n0,n1,Hi\n');
    expect((await ingest('numbered.csv')).stderr).toContain('The columns of the file are nr, body.');
  });

  it('reports an invalid time, but not that other fields are missing', async () => {
    put('times.csv', 'Nr;Text;Created\n1;Card declined;03/04/2024\n');
    const maps = ['id=Nr', 'body=Text', 'createdAt=Created'].flatMap((map) => ['--map', map]);
    const ran = await ingest('times.csv', ...maps, '--dry-run');
    expect(ran.stderr).toContain(
      'times.csv:2: the record has "03/04/2024" at Created, which is not a time that docsctl knows;',
    );
    expect(ran.stderr).not.toContain('did you mean');
    expect(ran.exit).toBe(3);
  });

  it('prints in a dry run what it would send, and checks all records', async () => {
    put('dry.ndjson', '{"n":1,"text":"mail ann@acme.test"}\n{"n":2}\n{"n":3,"text":"x"}\n');
    const ran = await ingest(
      'dry.ndjson',
      '--map',
      'id=.n',
      '--map',
      'body=.text',
      '--redact',
      'email',
      '--dry-run',
      '-o',
      'json',
    );
    expect(JSON.parse(ran.stdout)).toEqual({
      items: [
        { id: '1', parts: [{ type: 'message', role: 'user', body: 'mail [email]' }] },
        { id: '3', parts: [{ type: 'message', role: 'user', body: 'x' }] },
      ],
      count: 2,
    });
    expect(ran.stderr).toContain(
      'dry.ndjson:2: the record has no message (.text)\nDry run: nothing was sent. Redacted 1 email. 2 conversations would be sent, 1 rejected.\n',
    );
    expect(ran.exit).toBe(3);
    expect((await desk.run(['conversations', 'get', '3'])).exit).toBe(5);
  });

  it('prints all conversations in a dry run as ndjson, but only the first 20 in a table', async () => {
    const many = Array.from({ length: 1203 }, (_, at) =>
      JSON.stringify({
        id: `d${at}`,
        subject: 'a\u001b[31m',
        parts: [{ type: 'message', role: 'user', body: `Nr ${at}` }],
      }),
    );
    put('many.ndjson', many.join('\n'));
    const { stdout } = await ingest('many.ndjson', '--dry-run', '-o', 'ndjson');
    expect(stdout.trim().split('\n').map((line) => JSON.parse(line).id)).toEqual(many.map((_, at) => `d${at}`)); // prettier-ignore
    expect(
      (
        await desk.run(['conversations', 'ingest', '-', '--format', 'ndjson', '--dry-run', '-o', 'id'], {
          input: stdout,
        })
      ).stdout.split('\n'),
    ).toHaveLength(1204);
    const drawn = await desk.run(['conversations', 'ingest', 'many.ndjson', '--dry-run'], { tty: true });
    expect(drawn.stdout.match(/Nr \d+/g)).toHaveLength(20);
    expect(drawn.stdout).not.toContain('\u001b');
    expect(drawn.stderr).toBe(
      '… and 1183 more. To print all of them, add -o ndjson.\nDry run: nothing was sent. 1203 conversations would be sent, 0 rejected.\n',
    );
    expect((await ingest('many.ndjson', '--dry-run', '-o', 'csv')).stdout.split('\r\n')[1]).toContain(
      ',,1,Nr 0',
    );
    expect((await desk.run(['conversations', 'get', 'd1'])).exit).toBe(5);
  });

  it('reports in a dry run what stops it, after the valid records', async () => {
    put('cut.csv', 'id,body\nc1,x\nc2,"y"z\n');
    const ran = await ingest('cut.csv', '--dry-run', '-o', 'json');
    expect([ran.exit, JSON.parse(ran.stdout).count]).toEqual([8, 1]);
    expect(ran.stderr).toContain('cut.csv:3 has a quote in the wrong place.');
  });

  it('reports a line that is not JSON on one line', async () => {
    put('words.ndjson', 'nothing\n{"id":"w1","parts":[]}\n');
    expect((await ingest('words.ndjson', '--dry-run')).stderr.split('\n')[0]).toMatch(
      /^words.ndjson:1: the line is not valid JSON: .*JSON$/,
    );
  });

  it('sends nothing if none of the first records has a mapped field', async () => {
    put('typo.ndjson', '{"ticket":"t1","text":"x"}\n{"ticket":"t2","text":"y"}\n');
    const ran = await ingest('typo.ndjson', '--map', 'id=.tikcet', '--map', 'body=.text');
    expect(ran).toMatchObject({ exit: 8, stdout: '' });
    expect(ran.stderr).toBe(
      'error: None of the first 2 records of typo.ndjson has the field ".tikcet" for id; did you mean ".ticket"?\nhint: The first record has: ticket, text.\n',
    );
    const names = Array.from({ length: 21 }, (_, at) => `f${at}`);
    put('wide.json', JSON.stringify([Object.fromEntries(names.map((name) => [name, 'x']))]));
    expect((await ingest('wide.json', '--map', 'id=.number')).stderr).toContain(
      `The first record has: ${names.slice(0, 20).join(', ')}.\n`,
    );
    put('one.json', '[{"ticket":"t1"}]');
    expect((await ingest('one.json', '--map', 'id=.number')).stderr).toContain(
      'error: The first record of one.json does not have the field ".number" for id.',
    );
    const warned = await ingest(
      'typo.ndjson',
      '--map',
      'id=.ticket',
      '--map',
      'body=.text',
      '--map',
      'subject=.zzzzzzzz',
    );
    expect(warned.stderr).toBe(
      'warning: None of the first 2 records of typo.ndjson has the field ".zzzzzzzz" for subject.\n' +
        waiting +
        '2 new, 0 changed, 0 unchanged, 0 failed.\n',
    );
  });

  it('stores the records before an error, and reports how far it got', async () => {
    put('half.csv', 'id,body\nh1,x\nh2,"y"z\n');
    const ran = await ingest('half.csv');
    expect(ran.exit).toBe(8);
    expect(ran.stderr).toContain(
      'Stopped before the end: 1 new, 0 changed, 0 unchanged, 0 failed. Correct the file, and run the command again with --resume',
    );
    expect(ran.stderr).toContain('half.csv:3 has a quote in the wrong place.');
    expect((await get('h1')).parts[0]!.body).toBe('x');
  });

  it.each<[string[], number, string]>([
    [[], 64, 'No file is given.'],
    [['none.csv'], 8, 'none.csv does not exist.'],
    [['none*.csv'], 8, 'none*.csv matches no file.'],
    [
      ['in/'],
      8,
      'in/ is a folder, not a file.\nhint: Give its files by a pattern in quotes, such as "in/**/*.json".',
    ],
    [['tickets.csv'], 8, 'tickets.csv has no column "id".'],
    [['tickets.csv', '--map', 'id=TicketID'], 8, 'did you mean "Ticket ID"?'],
    [
      ['tickets.csv', '--map', 'subjet=Subject'],
      8,
      '"subjet" is not a field of a conversation; did you mean "subject"?',
    ],
    [['tickets.csv', '--redact', 'emial'], 8, '--redact does not take "emial"; did you mean "email"?'],
    [['tickets.csv', '--format', 'xlsx'], 8, '--format does not take "xlsx"'],
    [['tickets.csv', '--on-duplicate', 'merge'], 8, '--on-duplicate does not take "merge"'],
    [['tickets.csv', '--id-from', 'x'], 8, '--id-from does not take "x"'],
    [
      ['tickets.csv', '--timeout', '-5'],
      8,
      '--timeout takes a number of seconds above 0, up to 86400, not "-5".',
    ],
    [
      ['tickets.csv', '--wait', '--timeout', 'soon'],
      8,
      '--timeout takes a number of seconds above 0, up to 86400, not "soon".',
    ],
    [['tickets.csv', '--wait', '--timeout', '0'], 8, '--timeout takes a number of seconds'],
    [['tickets.csv', '--concurrency', '0'], 8, '--concurrency takes a whole number from 1 to 64'],
  ])('%j', async (words, exit, message) => {
    const ran = await ingest(...words);
    expect(ran.stderr).toContain(message);
    expect(ran.exit).toBe(exit);
  });
});
