import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { closed, Type } from '../../src/contract/schema.ts';
import { concealPlan } from '../../src/cli/manifest/conceal.ts';
import { withPlanKey, createSecretReader, withStatePath } from '../../src/cli/manifest/saved-plan-file.ts';
import type { Api } from '../../src/contract/api.ts';
import { applyPlan, type ApplyEvent } from '../../src/manifest/apply-plan.ts';
import { readDesired } from '../../src/manifest/read-desired.ts';
import { kind } from '../../src/manifest/kind.ts';
import { openStateFile, stateFileName } from '../../src/manifest/state-file.ts';
import type { PlanDocument } from '../../src/manifest/plan-document.ts';
import { makePlan } from '../../src/manifest/plan.ts';
import { readPlan, writePlan } from '../../src/manifest/saved-plan.ts';
import { surveyLive } from '../../src/manifest/survey.ts';
import { verifyPlan } from '../../src/manifest/verify-plan.ts';
import { folderOf, problemIn, readFolder } from './read/folder.ts';
import { join } from 'node:path';

/** A kind whose API never shows one field; its resources are kept here, and every call is counted. */
function createVault() {
  const live = new Map<string, { id: string; title: string }>();
  const sent: unknown[] = [];
  const vault = kind<{ id: string; title: string }>({
    name: 'vault',
    description: '',
    example: '',
    slots: [{ field: 'vaults', as: 'map' }],
    keys: [['title']],
    fields: {
      title: { schema: Type.String(), create: 'also', required: true },
      config: {
        schema: closed({
          token: Type.Optional(Type.String({ secret: true })),
          url: Type.Optional(Type.String()),
        }),
        writeOnly: true,
      },
    },
    list: () => Promise.resolve([...live.values()]),
    create: (_, __, { title }) => {
      const body = { id: `v${live.size}`, title: String(title) };
      live.set(body.id, body);
      return Promise.resolve(body);
    },
    calls: { update: { send: (_, { id }, fields) => Promise.resolve(void sent.push([id, fields])) } },
  });
  return { table: [vault], sent };
}

const api: Api = {
  place: 'https://vault.test',
  call: () => Promise.reject(new Error('no call')),
  close: () => Promise.resolve(),
};
const manifest = 'version: 1\nvaults: { v: { title: V, config: { token: !secret { env: TOKEN }, url: u } } }';

describe('a secret', () => {
  async function start(folder: string, token: string, { table }: ReturnType<typeof createVault>) {
    const desired = readDesired((await readFolder(folder, { env: { TOKEN: token } })).root, table);
    const held = await openStateFile(
      {
        path: join(folder, stateFileName),
        place: api.place,
        organization: 'o',
        randomBytes: (count) => new Uint8Array(count).fill(3),
      },
      () => Promise.resolve(() => {}),
    );
    const survey = await surveyLive({
      api,
      organization: 'o',
      desired,
      state: held.state,
      concurrency: 2,
      table,
    });
    return { desired, held, document: makePlan({ desired, survey, state: held.state, table }) };
  }

  it('reaches the API, and shows in no plan, lock, event or error', async () => {
    const vault = createVault();
    const folder = folderOf({ 'org.yaml': manifest });
    const { desired, held, document } = await start(folder, 'hush-hush', vault);
    const events: ApplyEvent[] = [];
    const result = await applyPlan({
      document,
      api,
      handle: held,
      concurrency: 1,
      table: vault.table,
      secretOf: (from) => desired.secrets.get(from),
      onEvent: (event) => events.push(event),
    });
    await held.release();
    expect(vault.sent).toEqual([['v0', { config: { token: 'hush-hush', url: 'u' } }]]);
    const shown = [
      JSON.stringify(document),
      JSON.stringify(result),
      inspect(events, { depth: null }),
      inspect(document, { depth: null }),
      readFileSync(join(folder, stateFileName), 'utf8'),
    ].join('\n');
    expect(shown).toContain('env TOKEN');
    expect(shown).not.toContain('hush-hush');
  });

  it('that is the same is not sent again, and one that changed is', async () => {
    const vault = createVault();
    const folder = folderOf({ 'org.yaml': manifest });
    for (const [token, actions] of [
      ['one', ['create']],
      ['one', ['none']],
      ['two', ['update']],
    ] as const) {
      const { desired, held, document } = await start(folder, token, vault);
      expect(document.steps.map(({ action }) => action)).toEqual(actions);
      await applyPlan({
        document,
        api,
        handle: held,
        concurrency: 1,
        table: vault.table,
        secretOf: (from) => desired.secrets.get(from),
      });
      await held.release();
    }
    expect(vault.sent).toHaveLength(2);
  });

  it('of a saved plan has to be the one it was made with', async () => {
    const vault = createVault();
    const folder = folderOf({ 'org.yaml': manifest });
    const first = await start(folder, 'one', vault);
    await applyPlan({
      document: first.document,
      api,
      handle: first.held,
      concurrency: 1,
      table: vault.table,
      secretOf: () => 'one',
    });
    await first.held.release();
    const { held, document } = await start(folder, 'two', vault);
    const saved = JSON.parse(JSON.stringify(document)) as PlanDocument;
    for (const [secret, status] of [
      ['three', 'failed'],
      [undefined, 'failed'],
      ['two', 'done'],
    ] as const) {
      const { rows } = await applyPlan({
        document: { ...saved, lock: { serial: held.state.serial } },
        api,
        handle: held,
        concurrency: 1,
        table: vault.table,
        secretOf: () => secret,
      });
      expect(rows[0]).toMatchObject(
        status === 'failed' ? { status, problem: { reason: 'precondition-failed' } } : { status },
      );
    }
    await held.release();
  });

  it('of a plan that was saved and read again is nowhere in it, and is asked for where it is applied', async () => {
    const vault = createVault();
    const folder = folderOf({ 'org.yaml': manifest });
    const lockPath = join(folder, stateFileName);
    const { held, document } = await start(folder, 'hush-hush', vault);
    await held.release();
    const text = writePlan(withStatePath(concealPlan(document, vault.table), held.state, lockPath, folder));
    expect(text).toContain('env TOKEN');
    expect(text).not.toContain('hush-hush');
    const saved = readPlan(text, 'plan.json', vault.table);
    // Another key would be drawn here: the plan brings that of its lock, which is not written yet.
    const options = withPlanKey(saved, {
      path: lockPath,
      place: api.place,
      organization: 'o',
      randomBytes: (count) => new Uint8Array(count).fill(4),
    });
    const applied = async (TOKEN: string | undefined) => {
      const again = await openStateFile(options, () => Promise.resolve(() => {}));
      const secretOf = createSecretReader(
        { cwd: folder, env: TOKEN === undefined ? {} : { TOKEN } } as Parameters<
          typeof createSecretReader
        >[0],
        lockPath,
      );
      const whole = { ...saved, lock: { serial: again.state.serial } };
      await verifyPlan({ document: whole, api, state: again.state, concurrency: 1, table: vault.table });
      const { rows } = await applyPlan({
        document: whole,
        api,
        handle: again,
        concurrency: 1,
        table: vault.table,
        secretOf,
      });
      await again.release();
      return rows.map(({ status, problem }) => problem?.message ?? status);
    };
    expect(await applied('hush-hush')).toEqual(['done']);
    expect(vault.sent).toEqual([['v0', { config: { token: 'hush-hush', url: 'u' } }]]);
  });

  it.each([['another-one'], [undefined]])(
    'of a saved plan that is %s in the environment now is not sent',
    async (now) => {
      const vault = createVault();
      const folder = folderOf({ 'org.yaml': manifest });
      const { held, document } = await start(folder, 'hush-hush', vault);
      const saved = readPlan(writePlan(document), 'plan.json', vault.table);
      const secretOf = createSecretReader(
        { cwd: folder, env: now === undefined ? {} : { TOKEN: now } } as Parameters<
          typeof createSecretReader
        >[0],
        join(folder, stateFileName),
      );
      const { rows } = await applyPlan({
        document: saved,
        api,
        handle: held,
        concurrency: 1,
        table: vault.table,
        secretOf,
      });
      await held.release();
      expect(rows).toMatchObject([
        {
          status: 'failed',
          problem: {
            reason: 'precondition-failed',
            message: 'The secret from env TOKEN has changed since the plan was made.',
          },
        },
      ]);
      expect(vault.sent).toEqual([]);
    },
  );

  it('is not written in a manifest', async () => {
    const vault = createVault();
    const folder = folderOf({
      'org.yaml': 'version: 1\nvaults: { v: { title: V, config: { token: hush } } }',
    });
    expect((await problemIn(start(folder, '', vault))).message).toBe(
      'org.yaml:2:43: secrets must not be written in a manifest; use !secret { env: NAME } or !secret { file: path }.',
    );
  });
});
