import { findAdoption, type Adoption } from '../../manifest/find-adoption.ts';
import { readState } from '../../manifest/state-file.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { withLockedState, openTarget } from '../manifest/target.ts';
import { addStateOption, addReadOptions, type ReadOptions } from '../manifest/options.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { drawTitle } from '../manifest/plan-text.ts';
import { printText } from '../output/print-text.ts';
import { createStyler } from '../output/style.ts';
import { wantsTable, type Session } from '../session/session.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

interface Options extends ReadOptions {
  readonly state?: string;
}

export const help: CommandHelp = {
  description: `
Records in the state file which existing resource a block of the manifest stands for. Use it when \`docsctl plan\`
cannot find the resource, because several resources have the same title or because its title differs from the
manifest.

Nothing in the organization is changed; the next plan shows what differs. Adopt a site before its sections.
`,
  examples: ['docsctl adopt space.changelog Changelog', 'docsctl adopt collection.library Library --dry-run'],
};

export const define: DefineCommand = (command, inSession) => {
  addStateOption(
    addReadOptions(
      command
        .argument('<ref>', 'block of the manifest, for example space.guide')
        .argument('<id|title>', 'ID or title of the existing resource'),
    ),
  ).action(inSession(withOwnSource(command, adopt)));
};

async function adopt(session: Session, address: string, given: string, options: Options): Promise<void> {
  const manifest = await loadManifest(session, options);
  const target = await openTarget(session, manifest, options);
  const { desired, table } = manifest;
  const { signal } = session.runtime;
  const find = (state: ManifestState): Promise<Adoption> =>
    findAdoption({ api: target.api, desired, state, address, given, signal, table });
  if (session.flags.dryRun === true) {
    await print(session, address, await find(readState(target.stateOptions)));
    return session.note('Dry run: the state file was not written.');
  }
  await withLockedState(target, async ({ state, save }) => {
    const adoption = await find(state);
    if (!adoption.isKnown) {
      state.set(address, adoption.owned);
      await save();
    }
    await print(session, address, adoption);
    session.note(
      adoption.isKnown
        ? 'The state file already has it.'
        : 'Adopted. Nothing in the organization was changed.',
    );
  });
}

async function print(session: Session, address: string, { owned, name, gone }: Adoption): Promise<void> {
  const { kind, id, parent = null, protect = false } = owned;
  if (!wantsTable(session))
    return session.print({ ref: address, kind, id, name, parent, protect, was: gone ?? null });
  const was = gone === undefined ? '' : ` (${gone} no longer exists)`;
  const title = escapeControls(`${address} ${JSON.stringify(name)} (${id})${was}`);
  await printText(session, `${drawTitle('adopt', title, await createStyler(session.isColored))}\n`);
}
