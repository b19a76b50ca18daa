import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Type } from '../../../src/contract/schema.ts';
import type { Api } from '../../../src/contract/api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { applyPlan } from '../../../src/manifest/apply-plan.ts';
import { readDesired } from '../../../src/manifest/read-desired.ts';
import { type Journal } from '../../../src/manifest/journal/journal-file.ts';
import { parseRun } from '../../../src/manifest/journal/read-run.ts';
import { planUndo } from '../../../src/manifest/journal/plan-undo.ts';
import { kind, type Kind } from '../../../src/manifest/kind.ts';
import { openStateFile, stateFileName } from '../../../src/manifest/state-file.ts';
import { makePlan } from '../../../src/manifest/plan.ts';
import { surveyLive } from '../../../src/manifest/survey.ts';
import { folderOf, readFolder } from '../read/folder.ts';
import { headerAt } from './journals.ts';
import { createUndoBench } from './undo-bench.ts';

const random = (count: number) => new Uint8Array(count).fill(7);

describe('a journal', () => {
  it('is not written where nothing changes', async () => {
    const bench = await createUndoBench();
    await bench.bring('spaces: { a: { title: A } }');
    await bench.bring('spaces: { a: { title: A } }');
    expect(bench.texts.map((text) => text === '')).toEqual([false, true]);
  });

  it('has what is lost on the disk before the delete is sent', async () => {
    const bench = await createUndoBench();
    await bench.bring(
      'collections: { c: { title: C } }\nspaces: { a: { title: A, parent: !ref collection.c } }',
    );
    const log: string[] = [];
    const file: Journal = {
      append: (line) =>
        void (
          line.type === 'step' && log.push(`wrote ${line.key} ${JSON.stringify(line.was?.fields ?? {})}`)
        ),
      sync: () => Promise.resolve(void log.push('synced')),
    };
    bench.before = ({ operation }) => void (operation.method === 'DELETE' && log.push(operation.id));
    await bench.bring('collections: {}\nspaces: {}', { prune: true, journal: { file, clock: () => 0 } });
    expect(log).toEqual([
      expect.stringMatching(
        /^wrote space.a {"title":"A","parent":"col_\w+","editMode":"live"}$|^wrote space.a {"title":"A","parent":"col_\w+"}$/,
      ),
      'synced',
      'spaces.delete',
      'wrote collection.c {"title":"C"}',
      'synced',
      'collections.delete',
      'synced',
    ]);
  });

  it('that cannot be written keeps the step from being done, and all behind it', async () => {
    for (const lines of [0, 1, 2, 3]) {
      const bench = await createUndoBench();
      bench.write('collections: { a: { title: A }, b: { title: B } }');
      let left = lines;
      const append: Journal['append'] = () => {
        if (left-- <= 0) throw new Problem('store-failed', 'The disk is full.');
      };
      const { counts } = await bench.apply({
        concurrency: 1,
        journal: { file: { append, sync: () => Promise.resolve() }, clock: () => 0 },
      });
      // A step has a line before its calls, one when its id is known, and one at its end.
      expect(counts).toMatchObject(lines === 0 ? { done: 0, failed: 1, skipped: 1 } : { done: 1, failed: 1 });
      expect(bench.changing).toHaveLength(lines === 0 ? 0 : 1);
    }
  });
});

describe('a secret', () => {
  const live = new Map<string, { id: string; title: string }>();
  const vault: Kind = kind<{ id: string; title: string }>({
    name: 'vault',
    description: '',
    example: '',
    slots: [{ field: 'vaults', as: 'map' }],
    keys: [['title']],
    fields: {
      title: { schema: Type.String(), create: 'also', required: true },
      token: { schema: Type.String({ secret: true }), writeOnly: true },
    },
    list: () => Promise.resolve([...live.values()]),
    create: (_, __, { title }) => {
      const body = { id: `v${live.size}`, title: String(title) };
      live.set(body.id, body);
      return Promise.resolve(body);
    },
    calls: {
      update: {
        send: (_, { id }, { title }) => {
          if (title !== undefined) live.set(id, { id, title: String(title) });
          return Promise.resolve();
        },
      },
    },
  });
  const api: Api = {
    place: 'https://vault.test',
    call: () => Promise.reject(new Error('no call')),
    close: () => Promise.resolve(),
  };

  it('is in no journal, not even as a hash, and an undo says that it cannot come back', async () => {
    const folder = folderOf({});
    const texts: string[] = [];
    let held = await openStateFile(
      { path: join(folder, stateFileName), place: api.place, organization: 'o', randomBytes: random },
      () => Promise.resolve(() => {}),
    );
    for (const [title, token] of [
      ['V', 'hush-one'],
      ['W', 'hush-two'],
    ]) {
      writeFileSync(
        join(folder, 'org.yaml'),
        `version: 1\nvaults: { v: { title: ${title}, token: !secret { env: TOKEN } } }`,
      );
      const desired = readDesired((await readFolder(folder, { env: { TOKEN: token } })).root, [vault]);
      const survey = await surveyLive({
        api,
        organization: 'o',
        desired,
        state: held.state,
        concurrency: 2,
        table: [vault],
      });
      const document = makePlan({ desired, survey, state: held.state, table: [vault] });
      const head = { ...headerAt(0), place: api.place };
      let text = `${JSON.stringify(head)}\n`;
      const file: Journal = {
        append: (line) => void (text += `${JSON.stringify(line)}\n`),
        sync: () => Promise.resolve(),
      };
      await applyPlan({
        document,
        api,
        handle: held,
        concurrency: 1,
        table: [vault],
        secretOf: (from) => desired.secrets.get(from),
        journal: { file, clock: () => 0 },
      });
      texts.push(text);
    }
    const hash = (held.state.get('vault.v')!.fields['token'] as { hash: string }).hash;
    expect(texts.join('')).toContain('"field":"token","secret":true');
    expect(texts.join('')).not.toMatch(/hush/);
    expect(texts.join('')).not.toContain(hash);
    const run = parseRun(headerAt(0).id, texts[1]!);
    const undo = await planUndo({ run, api, state: held.state, table: [vault], now: 0 });
    expect(undo.lost).toEqual(['vault.v: "token" is a secret, so its old value is unknown. Set it again.']);
    await applyPlan({ document: undo.document, api, handle: held, concurrency: 1, table: [vault] });
    await held.release();
    held = await openStateFile(
      { path: join(folder, stateFileName), place: api.place, organization: 'o', randomBytes: random },
      () => Promise.resolve(() => {}),
    );
    // Live content is the new one, and the lock goes on saying so.
    expect(held.state.get('vault.v')!.fields).toEqual({
      title: 'V',
      token: { 'docsctl:secret': 'env TOKEN', hash },
    });
    await held.release();
  });
});
