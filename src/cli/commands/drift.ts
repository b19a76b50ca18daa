import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { defined } from '../../contract/values.ts';
import { findDrift, hasNoDrift } from '../../manifest/find-drift.ts';
import { readState } from '../../manifest/state-file.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { noStateFile, openStateTarget, openTarget } from '../manifest/target.ts';
import {
  addConcurrencyOption,
  addReadOptions,
  addSelectionOptions,
  addStateOption,
  takeMarkdownFormat,
} from '../manifest/options.ts';
import { noteTarget } from '../manifest/note-target.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import { printDrift, refuseUnreadable } from '../manifest/print-drift.ts';
import type { Session } from '../session/session.ts';
import { ExitCode, type CommandHelp, type DefineCommand } from '../composite-command.ts';

interface Options {
  readonly file?: readonly string[];
  readonly var?: readonly string[];
  readonly state?: string;
  readonly concurrency: number;
  readonly detailedExitcode?: boolean;
  readonly skipUnsupported?: boolean;
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
}

export const help: CommandHelp = {
  columns: ['status', 'ref', 'name', 'fields', 'kind', 'id'],
  description: `
Compares the organization with the state file, and lists every resource that was changed (~) or deleted (-) since the
last apply. It changes nothing, and uses the manifest (-f) only to find the state file and the organization.
\`docsctl plan\` shows what the next apply would do.

Only the fields that the manifest sets are compared. For example, if a manifest gives a space a title and no emoji,
drift shows a changed title, but not a changed emoji. Secrets, the order of lists and the content of spaces are not
compared.
`,
  examples: [
    'docsctl drift',
    'docsctl drift -f docsctl.yaml',
    'docsctl drift --state docsctl.state.json --detailed-exitcode',
    'docsctl drift -o markdown > comment.md',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addSelectionOptions(addConcurrencyOption(addStateOption(addReadOptions(command))))
    .option('--detailed-exitcode', 'exit with 2 if something differs, and with 0 if nothing does')
    .option(
      '--skip-unsupported',
      'skip resources that this store or server does not support, instead of failing',
    )
    .action(() => {
      const asMarkdown = takeMarkdownFormat(command);
      return inSession(withOwnSource(command, (session) => drift(session, command.opts(), asMarkdown)))();
    });
};

async function drift(session: Session, options: Options, asMarkdown: boolean): Promise<void> {
  const { state: given, file, concurrency, detailedExitcode, skipUnsupported, only, exclude } = options;
  const { cwd, signal } = session.runtime;
  const target =
    file === undefined
      ? await openStateTarget(session, defined({ state: given }))
      : await openTarget(session, await loadManifest(session, options), options);
  const { api, stateOptions } = target;
  if (!existsSync(stateOptions.path)) throw noStateFile(given, file?.[0]);
  await noteTarget(session, target);
  const state = readState(stateOptions);
  const found = await findDrift({ api, state, concurrency, signal, only, exclude });
  const lock = { ...found.lock, path: relative(cwd, stateOptions.path).replaceAll('\\', '/') };
  await printDrift(session, { ...found, lock }, { asMarkdown, source: options });
  refuseUnreadable(found, skipUnsupported);
  if (detailedExitcode === true && !hasNoDrift(found)) throw new ExitCode(2);
}
