import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpokenConversation } from '../../src/analysis/split.ts';

export interface Labelled {
  readonly conversations: readonly SpokenConversation[];
  readonly labels: readonly string[];
}

/** Labelled conversations (NAME.ndjson and NAME.labels.tsv) of a folder; undefined where there are none. */
export function readLabelled(folder: string | undefined, name: string): Labelled | undefined {
  if (folder === undefined || !existsSync(join(folder, `${name}.ndjson`))) return undefined;
  const lines = (file: string): string[] => readFileSync(join(folder, file), 'utf8').trim().split('\n');
  const label = new Map(
    lines(`${name}.labels.tsv`)
      .slice(1)
      .map((line) => line.split('\t') as [string, string]),
  );
  const conversations = lines(`${name}.ndjson`).map(
    (line) => JSON.parse(line) as SpokenConversation & { id: string },
  );
  return { conversations, labels: conversations.map(({ id }) => label.get(id)!) };
}
