import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../../src/contract/api.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { applyPlan, type ApplyRequest, type ApplyResult } from '../../src/manifest/apply-plan.ts';
import { openStateFile, stateFileName, readState, type StateHandle } from '../../src/manifest/state-file.ts';
import { ManifestState, type StateFile, type StateSection } from '../../src/manifest/manifest-state.ts';
import type { PlanDocument } from '../../src/manifest/plan-document.ts';
import { planManifest, type PlannedManifest } from '../../src/manifest/plan.ts';
import type { PruneOptions } from '../../src/manifest/plan-prune.ts';
import { createWorld, type World } from '../support/world.ts';
import { folderOf, readFolder } from './read/folder.ts';

export interface Call {
  readonly operation: Operation;
  readonly input: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown };
}

export type More = PruneOptions &
  Partial<
    Pick<ApplyRequest, 'concurrency' | 'signal' | 'pause' | 'skipUnsupported' | 'onEvent' | 'journal'>
  > & {
    readonly env?: Record<string, string>;
  };

/** A folder with a manifest and a lock, and a world to bring to it. */
export class Bench {
  readonly world: World;
  readonly folder: string;
  /** Calls since the last `forget`. */
  readonly calls: Call[] = [];
  /** Stands before each call: throws in place of it, or after it. */
  before: (call: Call) => void | Promise<void> = () => {};
  after: (call: Call) => void = () => {};
  readonly api: Api;
  /** False: the lock is a text in memory, which spares properties the disk. */
  keepsLock = true;
  #section: string | undefined;

  constructor(world: World, folder: string, api: Api = world.as('admin')) {
    this.world = world;
    this.folder = folder;
    this.api = {
      ...api,
      call: async (operation, input, options) => {
        const call = { operation, input: input as Call['input'] };
        this.calls.push(call);
        const waits = this.before(call);
        if (waits !== undefined) await waits;
        const answer = await api.call(operation, input, options);
        this.after(call);
        return answer;
      },
    };
  }

  write(text: string): void {
    writeFileSync(join(this.folder, 'org.yaml'), text.startsWith('version:') ? text : `version: 1\n${text}`);
  }

  get lockOptions() {
    return {
      path: join(this.folder, stateFileName),
      place: this.api.place,
      organization: this.world.org,
      randomBytes: this.world.core.randomBytes,
    };
  }

  async plan(more: More = {}): Promise<PlanDocument> {
    return (await this.#planned(this.keepsLock ? readState(this.lockOptions) : this.#inMemory(), more))
      .document;
  }

  #inMemory(): ManifestState {
    const { place, organization } = this.lockOptions;
    return new ManifestState(
      this.#section === undefined
        ? { place, organization, key: '0'.repeat(64), serial: 0, resources: {} }
        : (JSON.parse(this.#section) as StateSection),
    );
  }

  async hold(): Promise<StateHandle> {
    if (this.keepsLock) return openStateFile(this.lockOptions, () => Promise.resolve(() => {}));
    const lock = this.#inMemory();
    let next: Promise<void> | undefined;
    const save = () => {
      next ??= new Promise((resolve) => {
        setImmediate(() => {
          next = undefined;
          lock.advance();
          this.#section = lock.toText();
          resolve();
        });
      });
      return next;
    };
    return { state: lock, release: () => Promise.resolve(), save };
  }

  async apply(more: More = {}): Promise<ApplyResult> {
    return this.applyWith(await this.hold(), more);
  }

  async applyWith(held: StateHandle, more: More = {}): Promise<ApplyResult> {
    try {
      const { document } = await this.#planned(held.state, more);
      return await applyPlan({
        concurrency: 4,
        ...more,
        document,
        api: this.api,
        handle: held,
      });
    } finally {
      await held.release();
    }
  }

  async #planned(lock: ManifestState, { env = {}, ...more }: More): Promise<PlannedManifest> {
    const { root } = await readFolder(this.folder, { env });
    return planManifest({
      api: this.api,
      organization: this.world.org,
      root,
      state: lock,
      concurrency: 4,
      ...more,
    });
  }

  /** Applies a text and says that all of it went well. */
  async bring(text: string, more: More = {}): Promise<ApplyResult> {
    this.write(text);
    const result = await this.apply(more);
    const failed = result.rows.filter(({ status }) => status !== 'done');
    if (failed.length > 0)
      throw new Error(
        failed
          .map(({ key, status, problem, because }) => `${key} ${status} ${problem?.message ?? because}`)
          .join('\n'),
      );
    return result;
  }

  get lock(): StateSection | undefined {
    if (!this.keepsLock)
      return this.#section === undefined ? undefined : (JSON.parse(this.#section) as StateSection);
    const { path } = this.lockOptions;
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StateFile).sections[0] : undefined;
  }

  get changing(): Call[] {
    return this.calls.filter(({ operation }) => operation.method !== 'GET');
  }

  forget(): void {
    this.calls.length = 0;
  }
}

export async function createBench(text = '', storeUrl?: string): Promise<Bench> {
  const bench = new Bench(await createWorld(storeUrl), folderOf({}));
  bench.write(text);
  return bench;
}

/** `create space.guide title=…` for each step that does something. */
export function linesOf({ steps }: PlanDocument): string[] {
  const shown = (value: unknown): string =>
    typeof value === 'object' && value !== null && 'docsctl:ref' in value
      ? `→${String(value['docsctl:ref'])}`
      : JSON.stringify(value);
  return steps
    .filter(({ action }) => action !== 'none')
    .map(({ action, key, changes, beside }) =>
      [
        action,
        key,
        ...(beside === undefined ? [] : [Object.keys(beside)[0]!, Object.values(beside)[0] as string]),
        ...changes.map(
          ({ field, before, after }) =>
            `${field}: ${before === undefined ? '' : `${shown(before)} `}⇒ ${shown(after)}`,
        ),
      ].join(' '),
    );
}
