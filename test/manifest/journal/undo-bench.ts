import { knownFromState } from '../../../src/manifest/export/update-state.ts';
import { applyPlan, type ApplyResult } from '../../../src/manifest/apply-plan.ts';
import { exportOrganization } from '../../../src/manifest/export/export-organization.ts';
import type { Journal } from '../../../src/manifest/journal/journal-file.ts';
import type { RunHeader } from '../../../src/manifest/journal/journal-lines.ts';
import { parseRun, type Run } from '../../../src/manifest/journal/read-run.ts';
import { planUndo } from '../../../src/manifest/journal/plan-undo.ts';
import type { Undo, UndoRequest } from '../../../src/manifest/journal/undo-context.ts';
import { kinds } from '../../../src/manifest/kinds/index.ts';
import { ManifestState } from '../../../src/manifest/manifest-state.ts';
import type { StateHandle } from '../../../src/manifest/state-file.ts';
import { Bench, type More } from '../bench.ts';
import { createWorld } from '../../support/world.ts';
import { folderOf } from '../read/folder.ts';

const day = 24 * 60 * 60 * 1000;

/** A bench whose runs are journalled in memory, and undone. */
export class UndoBench extends Bench {
  readonly texts: string[] = [];
  time = Date.parse('2026-01-05T09:00:00.000Z');

  /** A journal that is read again from its text. */
  journal(
    serial: number,
    more: Partial<RunHeader> = {},
  ): { readonly file: Journal; readonly clock: () => number } {
    const id = `20260105T090000000Z-${String(this.texts.length).padStart(6, '0')}`;
    const head: RunHeader = {
      type: 'run',
      version: 1,
      id,
      place: this.api.place,
      organization: this.world.org,
      at: new Date(this.time).toISOString(),
      docsctl: '0',
      files: [],
      serial,
      ...more,
    };
    const index = this.texts.push('') - 1;
    const append: Journal['append'] = (line) => {
      if (this.texts[index] === '') this.texts[index] = `${JSON.stringify(head)}\n`;
      this.texts[index] += `${JSON.stringify(line)}\n`;
    };
    return { file: { append, sync: () => Promise.resolve() }, clock: () => this.time };
  }

  run(index = -1): Run {
    const text = this.texts.at(index)!;
    return parseRun((JSON.parse(text.slice(0, text.indexOf('\n'))) as RunHeader).id, text);
  }

  override applyWith(held: StateHandle, more: More = {}): Promise<ApplyResult> {
    return super.applyWith(held, { journal: this.journal(held.state.serial), ...more });
  }

  async planUndo(index = -1, more: Partial<UndoRequest> = {}): Promise<Undo> {
    const held = await this.hold();
    try {
      return await this.#planned(held, index, more);
    } finally {
      await held.release();
    }
  }

  #planned(held: StateHandle, index: number, more: Partial<UndoRequest>): Promise<Undo> {
    return planUndo({
      run: this.run(index),
      api: this.api,
      state: held.state,
      table: kinds,
      now: this.time,
      maxDeletes: 1000,
      ...more,
    });
  }

  async undo(
    index = -1,
    more: Partial<UndoRequest> & { readonly jobs?: number } = {},
  ): Promise<Undo & { readonly result: ApplyResult }> {
    const held = await this.hold();
    try {
      const undo = await this.#planned(held, index, more);
      const result = await applyPlan({
        concurrency: 4,
        api: this.api,
        handle: held,
        document: undo.document,
        journal: this.journal(held.state.serial, { undoes: this.run(index).head.id }),
        ...more,
      });
      const failed = result.rows.filter(({ status }) => status !== 'done');
      if (failed.length > 0)
        throw new Error(
          failed
            .map(({ key, status, problem, because }) => `${key} ${status} ${problem?.message ?? because}`)
            .join('\n'),
        );
      return { ...undo, result };
    } finally {
      await held.release();
    }
  }

  /** Live content, as an export says it: names in place of ids. */
  async live(): Promise<string> {
    const { files } = await exportOrganization({
      api: this.api,
      organization: this.world.org,
      concurrency: 4,
      known: this.lock === undefined ? undefined : knownFromState(new ManifestState(this.lock)),
    });
    return [...files].map(([path, text]) => `### ${path}\n${text}`).join('');
  }

  /** What the lock says, names in place of ids. */
  owned(): unknown {
    const { resources = {} } = this.lock ?? {};
    const names = new Map(Object.entries(resources).map(([address, { id }]) => [id, address]));
    const plain = Object.entries(resources).map(
      ([address, { kind, parent, protect, fields }]) => [address, { kind, parent, protect, fields }] as const,
    );
    const sorted = plain.sort(([one], [other]) => (one < other ? -1 : 1));
    return JSON.parse(JSON.stringify(sorted), (_, value: unknown) =>
      typeof value === 'string' ? (names.get(value) ?? value) : value,
    );
  }

  passDays(days: number): void {
    this.time += days * day;
  }
}

export async function createUndoBench(keepsLock = false): Promise<UndoBench> {
  const bench = new UndoBench(
    await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } }),
    folderOf({}),
  );
  bench.keepsLock = keepsLock;
  return bench;
}
