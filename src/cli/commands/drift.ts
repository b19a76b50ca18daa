import { relative } from 'node:path';
import { findDrift, hasNoDrift } from '../../manifest/find-drift.ts';
import { readState } from '../../manifest/state-file.ts';
import { openStateTarget } from '../manifest/target.ts';
import {
  addConcurrencyOption,
  addSelectionOptions,
  addStateOption,
  takeMarkdownFormat,
} from '../manifest/options.ts';
import { printDrift, refuseUnreadable } from '../manifest/print-drift.ts';
import type { Session } from '../session.ts';
import { type DefineCommand, ExitCode } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options {
  readonly state?: string;
  readonly concurrency: number;
  readonly detailedExitcode?: boolean;
  readonly skipUnsupported?: boolean;
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
}

export const help: CommandHelp = {
  description: `
Compares the organization with the state file, and lists every resource that was changed (~) or deleted (-) since the last
apply. It needs no manifest and changes nothing. \`docsctl plan\` shows what an apply would do about it.

Secrets, the order of lists and the content of spaces are not compared.
`,
  examples: [
    'docsctl drift',
    'docsctl drift --state docsctl.state.json --detailed-exitcode',
    'docsctl drift -o markdown > comment.md',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addSelectionOptions(addConcurrencyOption(addStateOption(command)))
    .option('--detailed-exitcode', 'exit with 2 if something differs, and with 0 if nothing does')
    .option('--skip-unsupported', 'skip what cannot be read here, instead of failing')
    .action(() => {
      const asMarkdown = takeMarkdownFormat(command);
      return inSession((session) => drift(session, command.opts(), asMarkdown))();
    });
};

async function drift(
  session: Session,
  { state: given, concurrency, detailedExitcode, skipUnsupported, only, exclude }: Options,
  asMarkdown: boolean,
): Promise<void> {
  const { cwd, signal } = session.runtime;
  const { api, stateOptions } = await openStateTarget(session, given);
  const state = readState(stateOptions);
  const found = await findDrift({ api, state, concurrency, signal, only, exclude });
  const lock = { ...found.lock, path: relative(cwd, stateOptions.path).replaceAll('\\', '/') };
  await printDrift(session, { ...found, lock }, asMarkdown);
  refuseUnreadable(found, skipUnsupported);
  if (detailedExitcode === true && !hasNoDrift(found)) throw new ExitCode(2);
}
