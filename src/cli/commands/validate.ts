import { plural } from '../../contract/values.ts';
import { languageHelp } from '../manifest/language-help.ts';
import { addReadOptions, type ReadOptions } from '../manifest/options.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { printText } from '../manifest/print-report.ts';
import { wantsTable, type Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

export const help: CommandHelp = {
  description: `
Reads the manifest and its files, and reports every error with its file, line and column (exit 8). It contacts no store
and no server, so it cannot check whether names, members or IDs exist; \`docsctl plan\` does that.
${languageHelp}
`,
  examples: ['docsctl validate', 'docsctl validate -f docsctl.yaml -o json'],
};

export const define: DefineCommand = (command, inSession) => {
  addReadOptions(command).action(inSession(validate));
};

async function validate(session: Session, options: ReadOptions): Promise<void> {
  const { files, desired, jobs } = await loadManifest(session, options);
  const kinds: Record<string, number> = {};
  for (const { kind } of desired.byAddress.values()) kinds[kind.name] = (kinds[kind.name] ?? 0) + 1;
  const resources = desired.byAddress.size;
  if (!wantsTable(session))
    return session.print(
      {
        valid: true,
        files: files.map(({ name }) => name),
        resources,
        kinds,
        secrets: [...desired.secrets.keys()],
        ...(jobs.length === 0 ? {} : { jobs: jobs.map(({ name }) => name) }),
      },
      { noun: 'manifests' },
    );
  const counts = Object.entries(kinds).map(([kind, count]) => plural(count, kind));
  const perKind = counts.length === 0 ? '' : ` (${counts.join(', ')})`;
  const alsoJobs = jobs.length === 0 ? '' : ` and ${plural(jobs.length, 'import')}`;
  await printText(
    session,
    `Valid: ${plural(resources, 'resource')}${alsoJobs} in ${plural(files.length, 'file')}${perKind}.\n`,
  );
}
