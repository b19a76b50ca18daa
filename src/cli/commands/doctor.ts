import { existsSync, statSync } from 'node:fs';
import { version } from 'node:process';
import { Problem } from '../../errors/problem.ts';
import { me } from '../../resources/users/contract.ts';
import { ExitCode, type DefineCommand } from '../composite-command.ts';
import type { Session } from '../session.ts';
import { settingsFolder } from '../settings.ts';
import type { CommandHelp } from '../command-help.ts';

interface Check {
  readonly id: string;
  readonly ok: boolean;
  readonly found: string;
}

export const help: CommandHelp = {
  examples: [],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const versions = {
        id: 'versions',
        ok: true,
        found: `docsctl ${session.runtime.version}, Node ${version}`,
      };
      const checks = [versions, checkSettings(session), await checkAccess(session)];
      await session.printAll(checks, { columns: ['id', 'ok', 'found'], noun: 'checks' });
      if (checks.some(({ ok }) => !ok)) throw new ExitCode(69);
    }),
  );
};

/** Checks that only its owner can read the settings file. */
function checkSettings({ runtime }: Session): Check {
  const path = `${settingsFolder(runtime)}/config.json`;
  if (!existsSync(path)) return { id: 'settings', ok: true, found: `none yet (${path})` };
  const mode = statSync(path).mode & 0o777;
  const ok = (mode & 0o077) === 0;
  const found = `${path}, mode ${mode.toString(8)}${ok ? '' : ': others can read it; chmod 600'}`;
  return { id: 'settings', ok, found };
}

async function checkAccess(session: Session): Promise<Check> {
  try {
    const { place } = await session.api();
    const user = await session.call(me, {});
    return { id: 'place', ok: true, found: `${place}, as ${user.email ?? user.displayName}` };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { id: 'place', ok: false, found: [error.message, error.hint].filter(Boolean).join(' ') };
  }
}
