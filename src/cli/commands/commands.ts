import { isOperation } from '../../contract/operation.ts';
import { nouns } from '../../resources/index.ts';
import type { DefineCommand } from '../composite-command.ts';
import { compositeCommands } from './index.ts';

export interface CommandEntry {
  /** The words after `docsctl`. */
  readonly id: string;
  readonly summary: string;
  readonly operation: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly access: string | null;
  readonly deprecated: boolean;
}

export const define: DefineCommand = (command, inSession) => {
  const columns = ['id', 'summary', 'method', 'path'];
  command.action(
    inSession(async (session) => session.printAll(await listCommands(), { columns, noun: 'commands' })),
  );
};

/** Lists every command: one for each operation, and those written by hand. */
export async function listCommands(): Promise<CommandEntry[]> {
  const entries = new Map<string, CommandEntry>();
  for (const noun of nouns) {
    for (const operation of Object.values(await noun.contract())) {
      if (!isOperation(operation)) continue;
      const id = operation.id.replaceAll('.', ' ');
      const { summary, method, path, access, deprecated } = operation;
      entries.set(id, {
        id,
        summary,
        operation: operation.id,
        method,
        path: `/v1${path}`,
        access,
        deprecated,
      });
    }
  }
  const none = { operation: null, method: null, path: null, access: null, deprecated: false };
  for (const { words, summary } of compositeCommands)
    entries.set(words, { ...(entries.get(words) ?? none), id: words, summary });
  return [...entries.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}
