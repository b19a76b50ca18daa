import { findAdoption, type Adoption } from '../../manifest/find-adoption.ts';
import { readState } from '../../manifest/state-file.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { createStyler } from '../output/style.ts';
import { holdingLock, openLive } from '../manifest/live.ts';
import { addLockOption, addReadOptions, type ReadOptions } from '../manifest/options.ts';
import { readWanted } from '../manifest/read-wanted.ts';
import type { Session } from '../session.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { DefineCommand } from '../composite-command.ts';

interface Options extends ReadOptions {
  readonly lock?: string;
}

export const define: DefineCommand = (command, inSession) => {
  addLockOption(
    addReadOptions(
      command.argument('<ref>', 'the block, as in space.guide').argument('<id|title>', 'the live resource'),
    ),
  )
    .addHelpText(
      'after',
      `
Writes into the lock which live resource a block of the manifest is, for what \`docsctl plan\` does not find by itself: two
of the same title, or one that is called otherwise. Nothing live is changed; \`docsctl plan\` then shows what differs. What a
resource lies in comes first: a site before its sections.

Examples:
  docsctl adopt space.guide Handbook
  docsctl adopt section.docs/guide sct_1 -f org/ --dry-run
`,
    )
    .action(inSession(adopt));
};

async function adopt(session: Session, address: string, given: string, options: Options): Promise<void> {
  const reading = await readWanted(session, options);
  const live = await openLive(session, reading, { ...options, jobs: 1 });
  const { desired, table } = reading;
  const find = (lock: ManifestState): Promise<Adoption> =>
    findAdoption({
      api: live.api,
      desired,
      state: lock,
      address,
      given,
      signal: session.runtime.signal,
      table,
    });
  if (session.flags.dryRun === true) {
    await print(session, address, await find(readState(live.lockOptions)));
    return session.note('Dry run: the lock was not written.');
  }
  await holdingLock(live, async ({ state, save }) => {
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
  const { kind, id, parent, protect = false } = owned;
  if (session.format !== 'table' || session.flags.query !== undefined) {
    const printer = await session.printer();
    await printer.one({ ref: address, kind, id, name, parent: parent ?? null, protect, was: gone ?? null });
    return printer.end();
  }
  const { stdout, color } = session.terminal;
  const ink = await createStyler(color && session.isInteractive);
  const was = gone === undefined ? '' : ` (${gone} is no longer there)`;
  await stdout.write(
    `${ink('=', ['bold', 'cyan'])} ${ink(escapeControls(`${address} ${JSON.stringify(name)} (${id})${was}`), ['cyan'])}\n`,
  );
  await stdout.flush();
}
