import { relative } from 'node:path';
import { findDrift, hasNoDrift } from '../../manifest/find-drift.ts';
import { readState } from '../../manifest/state-file.ts';
import { openStateTarget } from '../manifest/target.ts';
import { addJobsOption, addLockOption, takeMarkdownFormat } from '../manifest/options.ts';
import { printDrift, refuseUnreadable } from '../manifest/print-drift.ts';
import type { Session } from '../session.ts';
import { type DefineCommand, ExitCode } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options {
  readonly lock?: string;
  readonly jobs: number;
  readonly detailedExitcode?: boolean;
  readonly skipUnsupported?: boolean;
}

export const help: CommandHelp = {
  description: `
Compares what is live with what the last apply left, as the lock has it: - gone, ~ changed. It needs no manifest and
changes nothing. \`docsctl plan\` shows what an apply would do about it. Secrets cannot be seen; the order of lists and the
content of spaces are not compared.
`,
  examples: [
    'docsctl drift',
    'docsctl drift --lock org/docsctl.lock.json --detailed-exitcode',
    'docsctl drift -o markdown > comment.md',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addJobsOption(addLockOption(command))
    .option('--detailed-exitcode', 'exit 2 when something differs, 0 when nothing does')
    .option('--skip-unsupported', 'leave out what cannot be read here')
    .action(() => {
      const asMarkdown = takeMarkdownFormat(command);
      return inSession((session) => drift(session, command.opts(), asMarkdown))();
    });
};

async function drift(
  session: Session,
  { lock: given, jobs, detailedExitcode, skipUnsupported }: Options,
  asMarkdown: boolean,
): Promise<void> {
  const { cwd, signal } = session.runtime;
  const { api, stateOptions } = await openStateTarget(session, given);
  const found = await findDrift({ api, state: readState(stateOptions), concurrency: jobs, signal });
  const lock = { ...found.lock, path: relative(cwd, stateOptions.path).replaceAll('\\', '/') };
  await printDrift(session, { ...found, lock }, asMarkdown);
  refuseUnreadable(found, skipUnsupported);
  if (detailedExitcode === true && !hasNoDrift(found)) throw new ExitCode(2);
}
