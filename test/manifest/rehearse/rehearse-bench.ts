import type { Api } from '../../../src/contract/api.ts';
import type { Runtime } from '../../../src/cli/runtime.ts';
import { ManifestState } from '../../../src/manifest/manifest-state.ts';
import type { OpenCopy } from '../../../src/manifest/rehearse/copy.ts';
import { rehearse, type Rehearsal, type RehearseRequest } from '../../../src/manifest/rehearse/rehearse.ts';
import { openCopy } from '../../../src/wiring.ts';
import type { Bench } from '../bench.ts';
import { readFolder } from '../read/folder.ts';

type More = Partial<Omit<RehearseRequest, 'root' | 'lock'>> & { readonly env?: Record<string, string> };

/** Copies are opened as the command does, with the clock of the world. */
export function copiesFor({ world: { core } }: Pick<Bench, 'world'>): OpenCopy {
  const runtime = { clock: core.clock, randomBytes: core.randomBytes, env: {} } as unknown as Runtime;
  return (founder, nextId) => openCopy(runtime, founder, nextId);
}

/** The lock of a bench, as it is now; what is done with it changes nothing there. */
export function lockOf(bench: Bench): ManifestState {
  return new ManifestState(
    bench.lock ?? {
      place: bench.api.place,
      organization: bench.world.org,
      key: '0'.repeat(64),
      serial: 0,
      resources: {},
    },
  );
}

/** An Api that refuses all that changes something, by an error that no code expects. */
export function refusing(api: Api): Api {
  return {
    ...api,
    call: (operation, input, options) => {
      if (operation.method !== 'GET') throw new Error(`${operation.id} was sent to the live side`);
      return api.call(operation, input, options);
    },
  };
}

export async function rehearseBench(bench: Bench, { env = {}, ...more }: More = {}): Promise<Rehearsal> {
  const { root } = await readFolder(bench.folder, { env });
  const lock = lockOf(bench);
  const before = lock.toText();
  const rehearsal = await rehearse({
    api: refusing(bench.api),
    organization: bench.world.org,
    root,
    state: lock,
    concurrency: 4,
    openCopy: copiesFor(bench),
    ...more,
  });
  if (lock.toText() !== before) throw new Error('the lock of the live side was changed');
  return rehearsal;
}

/** `failed create space.guide: message` for each row that did not go well, without the message for those that did. */
export function shownRows({ rows }: Pick<Rehearsal, 'rows'>, withCause = true): string[] {
  return rows.map(({ status, action, key, problem, because, why }) => {
    const more = problem?.message ?? (withCause ? because : undefined) ?? why;
    return `${status} ${action} ${key}${more === undefined ? '' : `: ${more}`}`;
  });
}
