import type { YamlEntry, YamlMap } from '../../richtext/yaml-tree.ts';
import type { Faults } from './faults.ts';
import { formatLocation, type SourceLocation } from './source-location.ts';

/** Fields that belong to one file, not to the organization. */
const ofTheFile: ReadonlySet<string> = new Set(['version', 'include', '$schema']);

/**
 * Makes one map of all documents. Two levels merge: the fields of the manifest, and within each its keys (the refs of
 * `spaces`, the fields of `org`). What lies below belongs to one place: the same ref twice is an error that names both.
 */
export function mergeDocuments(documents: readonly YamlMap[], at: SourceLocation, faults: Faults): YamlMap {
  const merged: YamlMap = { kind: 'map', at: documents[0]?.at ?? at, entries: new Map() };
  for (const { entries } of documents) {
    for (const [field, entry] of entries) {
      if (ofTheFile.has(field)) continue;
      const first = merged.entries.get(field);
      if (first === undefined) merged.entries.set(field, copyOf(entry));
      else if (isPlainMap(first) && isPlainMap(entry))
        mergeInto(first.value as YamlMap, entry.value as YamlMap, `${field}.`, faults);
      else faults.add(entry.key, statedTwice(field, first.key));
    }
  }
  return merged;
}

function mergeInto(target: YamlMap, source: YamlMap, prefix: string, faults: Faults): void {
  for (const [key, entry] of source.entries) {
    const first = target.entries.get(key);
    if (first === undefined) target.entries.set(key, entry);
    else faults.add(entry.key, statedTwice(prefix + key, first.key));
  }
}

function statedTwice(name: string, first: SourceLocation): string {
  return `"${name.slice(0, 120)}" is stated already at ${formatLocation(first)}; keep one of the two`;
}

function isPlainMap({ value }: YamlEntry): boolean {
  return value.kind === 'map' && value.tag === undefined;
}

/** Other documents are merged into the copy, so that what was read stays as it was. */
function copyOf(entry: YamlEntry): YamlEntry {
  return isPlainMap(entry)
    ? {
        key: entry.key,
        value: { ...(entry.value as YamlMap), entries: new Map((entry.value as YamlMap).entries) },
      }
    : entry;
}
