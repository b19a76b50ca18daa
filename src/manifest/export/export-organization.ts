import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import type { Kind } from '../kind.ts';
import { kinds as allKinds } from '../kinds/index.ts';
import type { Owned } from '../manifest-state.ts';
import { limits } from '../read/limits.ts';
import { splitIntoFiles } from './split-into-files.ts';
import { readLive } from './read-live.ts';
import { addComputedValues } from './add-made.ts';
import { nameResources } from './name-resources.ts';
import { TextFiles } from './text-files.ts';
import { writeBlocks } from './write-blocks.ts';
import { countValues } from './yaml.ts';

export interface ExportRequest {
  readonly api: Api;
  readonly organization: string;
  /** Names of kinds, or the fields where they stand: what lies in them comes with them. Absent: all. */
  readonly kinds?: readonly string[] | undefined;
  /** Calls at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  /** What is known of a resource already, as a lock has it: its name stays, and that it is protected. */
  readonly known?: ((kind: string, id: string) => KnownResource | undefined) | undefined;
  /** Whether an earlier export had a file of this name: then it keeps one, also where little is left to stand in it. */
  readonly hadFile?: ((path: string) => boolean) | undefined;
  readonly table?: readonly Kind[] | undefined;
}

export interface KnownResource {
  readonly name: string;
  readonly protect: boolean;
}

/** A manifest of a live organization. */
export interface Exported {
  /** Texts by path, forward slashes between names; `docsctl.yaml` is the first. */
  readonly files: ReadonlyMap<string, string>;
  /** What a lock has to say so that a plan of the files finds each resource, as it is. */
  readonly owned: ReadonlyMap<string, Owned>;
  /** Names of the kinds that are exported. */
  readonly kinds: ReadonlySet<string>;
  /** Kinds, and fields such as `site.adaptive`, that are left out because the backend does not have them, and what it said. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** What could not be stated, for a person to read. */
  readonly notes: readonly string[];
}

/**
 * Writes a manifest of what is live, through nothing but the table of kinds. It touches no disk: folders with the content
 * of spaces are written by who gives a table with a field that names them.
 */
export async function exportOrganization(request: ExportRequest): Promise<Exported> {
  const { table = allKinds, organization, known = () => undefined, hadFile = () => false } = request;
  const live = await readLive({ ...request, table, only: selectKinds(request.kinds, table) });
  const names = nameResources(live, table, (kind, id) => known(kind, id)?.name);
  const unsupported = new Map(live.unsupported);
  await addComputedValues(names, table, unsupported);
  const notes: string[] = [];
  const files = new TextFiles();
  const isProtected = (kind: string, id: string): boolean => known(kind, id)?.protect === true;
  const { top, owned } = writeBlocks({
    live,
    names,
    table,
    files,
    isProtected,
    note: (message) => void notes.push(message),
  });
  const manifest = splitIntoFiles(top, organization, hadFile);
  const texts = new Map([...manifest, ...files.texts]);
  checkSize(manifest, top.reduce((sum, [, value]) => sum + countValues(value), 0)); // prettier-ignore
  return { files: texts, owned, kinds: live.kinds, unsupported, notes };
}

/** The kinds of the top that are meant; a Problem names those that there are. */
export function selectKinds(
  words: readonly string[] | undefined,
  table: readonly Kind[] = allKinds,
): ReadonlySet<string> | undefined {
  if (words === undefined) return undefined;
  const byWord = new Map<string, readonly string[]>();
  const shown: string[] = [];
  for (const { name, slots } of table) {
    for (const { within, field } of slots) {
      if (within !== undefined) continue;
      const family = field.split('.')[0]!;
      shown.push(family);
      for (const one of new Set([name, family])) byWord.set(one, [...(byWord.get(one) ?? []), name]);
    }
  }
  const wrong = words.find((one) => !byWord.has(one));
  if (wrong !== undefined || words.length === 0) {
    const inner = table.find(({ name }) => name === wrong)?.slots[0]?.within;
    const why =
      inner === undefined
        ? `There is no kind "${wrong ?? ''}".`
        : `A ${wrong} is exported with its ${inner}, not alone.`;
    throw new Problem('usage', why, { hint: `--kinds takes ${[...new Set(shown)].join(', ')}.` });
  }
  return new Set(words.flatMap((one) => byWord.get(one)!));
}

/** What is written has to be read again. */
function checkSize(manifest: readonly (readonly [path: string, text: string])[], values: number): void {
  const bytes = manifest.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  if (bytes <= limits.bytes && values <= limits.nodes - 1000) return;
  throw new Problem(
    'too-large',
    `The manifest would hold ${values} values in ${Math.ceil(bytes / 2 ** 20)} MiB; one takes at most ${limits.nodes} in ${limits.bytes >> 20} MiB.`,
    {
      hint: 'Export it in parts, each into a folder of its own: --kinds spaces,collections and --kinds sites.',
    },
  );
}
