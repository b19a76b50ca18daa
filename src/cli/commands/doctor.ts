import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { settingsFolder } from '../settings.ts';
import { me } from '../../resources/users/contract.ts';
import type { Session } from '../session.ts';
import { type RunInSession, ExitCode } from '../composite-command.ts';

interface Finding {
  readonly id: string;
  readonly ok: boolean;
  readonly found: string;
}

export function define(command: Command, run: RunInSession): void {
  command.action(() =>
    run(async (session) => {
      const items = [await node(session), await settingsMode(session), await place(session)];
      const printer = await session.printer({ columns: ['id', 'ok', 'found'], noun: 'checks' });
      await printer.page({ count: items.length, items });
      await printer.end();
      if (items.some(({ ok }) => !ok)) throw new ExitCode(69);
    }),
  );
}

async function node({ runtime }: Session): Promise<Finding> {
  const { version } = await import('node:process');
  return { id: 'versions', ok: true, found: `docsctl ${runtime.version}, Node ${version}` };
}

async function settingsMode({ runtime }: Session): Promise<Finding> {
  const path = `${settingsFolder(runtime)}/config.json`;
  if (!existsSync(path)) return { id: 'settings', ok: true, found: `none yet (${path})` };
  const mode = statSync(path).mode & 0o777;
  return {
    id: 'settings',
    ok: (mode & 0o077) === 0,
    found: `${path}, mode ${mode.toString(8)}${(mode & 0o077) === 0 ? '' : ': others can read it; chmod 600'}`,
  };
}

async function place(session: Session): Promise<Finding> {
  try {
    const api = await session.api();
    const user = await api.call(me, {});
    return { id: 'place', ok: true, found: `${api.place}, as ${user.email ?? user.displayName}` };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { id: 'place', ok: false, found: [error.message, error.hint].filter(Boolean).join(' ') };
  }
}
