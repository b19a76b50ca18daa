import { findAdoption, type Adoption } from '../../manifest/find-adoption.ts';
import { readState } from '../../manifest/state-file.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { withLockedState, openTarget } from '../manifest/target.ts';
import { addLockOption, addReadOptions, type ReadOptions } from '../manifest/options.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { drawTitle } from '../manifest/plan-text.ts';
import { createOutputStyler, printText } from '../manifest/print-report.ts';
import { wantsTable, type Session } from '../session.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options extends ReadOptions {
  readonly lock?: string;
}

export const help: CommandHelp = {
  description: `
Writes into the lock which live resource a block of the manifest is, for what \`docsctl plan\` does not find by itself: two
of the same title, or one that is called otherwise. Nothing live is changed; \`docsctl plan\` then shows what differs. What a
resource lies in comes first: a site before its sections.
`,
  examples: [
    'docsctl adopt space.guide Handbook',
    'docsctl adopt section.docs/guide sct_1 -f org/ --dry-run',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addLockOption(
    addReadOptions(
      command.argument('<ref>', 'the block, as in space.guide').argument('<id|title>', 'the live resource'),
    ),
  ).action(inSession(adopt));
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
    return session.note('Dry run: the lock was not written.');
  }
  await withLockedState(target, async ({ state, save }) => {
    const adoption = await find(state);
    if (!adoption.isKnown) {
      state.set(address, adoption.owned);
      await save();
    }
    await print(session, address, adoption);
    session.note(adoption.isKnown ? 'The lock said so already.' : 'Adopted; nothing live was changed.');
  });
}

async function print(session: Session, address: string, { owned, name, gone }: Adoption): Promise<void> {
  const { kind, id, parent = null, protect = false } = owned;
  if (!wantsTable(session))
    return session.print({ ref: address, kind, id, name, parent, protect, was: gone ?? null });
  const was = gone === undefined ? '' : ` (${gone} is no longer there)`;
  const title = escapeControls(`${address} ${JSON.stringify(name)} (${id})${was}`);
  await printText(session, `${drawTitle('adopt', title, await createOutputStyler(session))}\n`);
}
