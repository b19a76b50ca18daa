import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import type { Kind } from '../kind.ts';
import { kinds as allKinds } from '../kinds/index.ts';
import type { Owned } from '../manifest-state.ts';
import { limits } from '../read/limits.ts';
import { nameResources, type ResourceNames } from './name-resources.ts';
import { readLive, unlessUnsupported } from './read-live.ts';
import { splitIntoFiles } from './split-into-files.ts';
import { TextFiles } from './text-files.ts';
import { writeBlocks } from './write-blocks.ts';
import { countValues } from './yaml.ts';

export interface ExportRequest {
  readonly api: Api;
  readonly organization: string;
  /** Names of top-level kinds, or of their fields. Default: all. */
  readonly kinds?: readonly string[] | undefined;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  /** Looks up a resource in the state file. The resource keeps its name and protection. */
  readonly known?: ((kind: string, id: string) => KnownResource | undefined) | undefined;
  /** Whether an earlier export wrote this file. If so, this export writes it again. */
  readonly hadFile?: (path: string) => boolean;
  readonly table?: readonly Kind[];
  /** Leaves out all IDs, so that the manifest can be applied to another organization. */
  readonly portable?: boolean | undefined;
}

export interface KnownResource {
  readonly name: string;
  readonly protect: boolean;
}

/** A manifest of a live organization. */
export interface Exported {
  /** The texts of the files by path, with forward slashes. The first is `docsctl.yaml`. */
  readonly files: ReadonlyMap<string, string>;
  /** Entries for the state file. With them, a plan of the files is empty. */
  readonly owned: ReadonlyMap<string, Owned>;
  readonly kinds: ReadonlySet<string>;
  /** Error messages, by the kinds and fields (such as `site.adaptive`) that the backend does not have. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** Sentences about things that could not be exported. */
  readonly notes: readonly string[];
}

/**
 * Creates a manifest of an organization in memory. The field `content` of the table exports the content of spaces.
 * @throws Problem(invalid-input) for unknown kinds
 * @throws Problem(too-large) if the manifest would be too large to be read again
 */
export async function exportOrganization(request: ExportRequest): Promise<Exported> {
  const {
    table = allKinds,
    organization,
    portable = false,
    known = () => undefined,
    hadFile = () => false,
  } = request;
  const live = await readLive({ ...request, table, only: selectKinds(request.kinds, table) });
  const names = nameResources(live, table, (kind, id) => known(kind, id)?.name);
  const unsupported = new Map(live.unsupported);
  await addComputedValues(names, table, unsupported);
  const notes: string[] = [];
  const files = new TextFiles();
  const { top, owned } = writeBlocks({
    live,
    names,
    table,
    files,
    portable,
    isProtected: (kind, id) => known(kind, id)?.protect === true,
    note: (message) => void notes.push(message),
  });
  const manifest = splitIntoFiles(top, portable ? undefined : organization, hadFile);
  checkSize(
    manifest,
    top.reduce((sum, [, value]) => sum + countValues(value), 0),
  );
  return { files: new Map([...manifest, ...files.texts]), owned, kinds: live.kinds, unsupported, notes };
}

/** Finds top-level kinds by their names or fields. Undefined: all. @throws Problem(invalid-input) for other names */
export function selectKinds(
  words: readonly string[] | undefined,
  table: readonly Kind[] = allKinds,
): ReadonlySet<string> | undefined {
  if (words === undefined) return undefined;
  const tops = table.flatMap(({ name, slots }) =>
    slots.flatMap(({ within, field }) =>
      within === undefined ? [{ name, family: field.split('.', 1).join() }] : [],
    ),
  );
  const namesOf = (word: string): string[] =>
    tops.filter(({ name, family }) => name === word || family === word).map(({ name }) => name);
  const wrong = words.find((word) => namesOf(word).length === 0);
  if (wrong === undefined && words.length > 0) return new Set(words.flatMap(namesOf));
  const parent = table.find(({ name }) => name === wrong)?.slots[0]?.within;
  const why =
    parent === undefined
      ? `Unknown kind "${wrong ?? ''}".`
      : `A ${wrong} is exported together with its ${parent}, not on its own.`;
  const families = new Set(tops.map(({ family }) => family));
  throw new Problem('invalid-input', why, { hint: `--kinds takes ${[...families].join(', ')}.` });
}

async function addComputedValues(
  { byId }: ResourceNames,
  table: readonly Kind[],
  unsupported: Map<string, string>,
): Promise<void> {
  for (const kind of table) {
    const named = [...byId.values()].filter(({ live }) => live.kind === kind);
    for (const [field, { export: compute }] of Object.entries(kind.fields)) {
      if (compute === undefined || named.length === 0) continue;
      const resources = named.map(({ live, name }) => ({ body: live.body, name }));
      const values = await unlessUnsupported(unsupported, `${kind.name}.${field}`, () => compute(resources));
      for (const [index, value] of values?.entries() ?? []) named[index]?.live.values.set(field, value);
    }
  }
}

function checkSize(manifest: readonly (readonly [path: string, text: string])[], values: number): void {
  const bytes = manifest.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  if (bytes <= limits.bytes && values <= limits.nodes - 1000) return;
  throw new Problem(
    'too-large',
    `The manifest would have ${values} values in ${Math.ceil(bytes / 2 ** 20)} MiB; the limit is ${limits.nodes} values in ${limits.bytes >> 20} MiB.`,
    {
      hint: 'Export it in parts into separate folders, for example with --kinds spaces,collections and --kinds sites.',
    },
  );
}
