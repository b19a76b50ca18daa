import { relative } from 'node:path';
import { listSome, plural } from '../../contract/values.ts';
import { replaceWithRebuilt, rebuildState, type RebuiltState } from '../../manifest/rebuild-state.ts';
import { keepBackup, rescueState, type RescuedState } from '../../manifest/rescue-state.ts';
import { stateIn } from '../../manifest/state-file.ts';
import type { Problem } from '../../errors/problem.ts';
import { ManifestState } from '../../manifest/manifest-state.ts';
import { confirm } from '../confirm/confirm.ts';
import { withLockedState, openTarget, surveyTarget, type Target } from '../manifest/target.ts';
import {
  addConcurrencyOption,
  addStateOption,
  addReadOptions,
  type ReadOptions,
} from '../manifest/options.ts';
import { loadManifest, type LoadedManifest } from '../manifest/load-manifest.ts';
import { wantsDocument, wantsTable, type Session } from '../session/session.ts';
import { withOwnSource } from '../manifest/source-in-hints.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';

interface Options extends ReadOptions {
  readonly state?: string;
  readonly concurrency: number;
}

export const help: CommandHelp = {
  description: `
Use it when the state file is lost or damaged, for example by a merge conflict. Each block of the manifest is bound to
the existing resource with the same ID, or to the only resource with the same title, path or name. If several
resources match, the block is bound to the one that the old state file contains. If the old state file contains none
of them, the command fails and lists them.

The command keeps the protection of resources and the progress of unfinished imports, if the old state file still shows
them. It copies a damaged state file to a file that ends in .bak. Nothing in the organization is changed. Secrets cannot
be compared, so the next apply sets them again.
`,
  examples: ['docsctl state rebuild --dry-run', 'docsctl state rebuild -f docsctl.yaml --yes'],
};

export const define: DefineCommand = (command, inSession) => {
  addConcurrencyOption(addStateOption(addReadOptions(command))).action(
    inSession(withOwnSource(command, rebuild)),
  );
};

async function rebuild(session: Session, options: Options): Promise<void> {
  const manifest = await loadManifest(session, options);
  const target = await openTarget(session, manifest, options);
  const { path } = target.stateOptions;
  let damage: Problem | undefined;
  const read = (): RescuedState['file'] => {
    const rescued = rescueState(target.stateOptions);
    ({ damage } = rescued);
    noteDamage(session, rescued);
    return rescued.file;
  };
  const rebuildFrom = (old: ManifestState): Promise<RebuiltState> =>
    findAgain(session, manifest, target, { old, concurrency: options.concurrency });
  if (session.flags.dryRun === true) {
    const rebuilt = await rebuildFrom(stateIn(read(), target.stateOptions));
    const isSame = damage === undefined && rebuilt.rows.every((row) => row.isSame);
    if (isSame && wantsTable(session))
      return session.note('The state file is already right. Nothing would change.');
    await print(session, rebuilt);
    return session.note('Dry run: the state file was not written.');
  }
  await withLockedState(
    target,
    async ({ state, save }) => {
      const rebuilt = await rebuildFrom(state);
      const isSame = damage === undefined && rebuilt.rows.every((row) => row.isSame);
      if (!isSame) {
        noteLost(session, rebuilt);
        await confirm(session, {
          verb: 'rebuild',
          noun: 'state files',
          object: 'the state file',
          names: [`for ${target.organization} (${countsOf(rebuilt)})`],
        });
        const aside = damage === undefined ? undefined : keepBackup(path);
        replaceWithRebuilt(state, rebuilt);
        await save();
        if (aside !== undefined)
          session.note(
            `The damaged state file was copied to ${relative(session.runtime.cwd, aside)}. Compare the new file with it.`,
          );
      }
      await print(session, rebuilt);
      session.note(
        `${countsOf(rebuilt)}${isSame ? '; the state file was already right' : ''}. Nothing in the organization was changed.`,
      );
    },
    read,
  );
}

/** Binds blocks to resources without the state file. The old one decides only between several matches. */
async function findAgain(
  session: Session,
  manifest: LoadedManifest,
  target: Target,
  { old, concurrency }: { old: ManifestState; concurrency: number },
): Promise<RebuiltState> {
  const { organization } = target;
  const key = '0'.repeat(64);
  const state = new ManifestState({ place: old.place, organization, key, serial: 0, resources: {} });
  const formerId = (address: string) => old.get(address)?.id;
  const survey = await surveyTarget(session, manifest, target, { state, concurrency, formerId });
  return rebuildState(manifest.desired, survey, old);
}

function noteDamage({ note }: Session, { damage, isWhole }: RescuedState): void {
  if (damage === undefined) return;
  note(damage.message);
  note(
    isWhole
      ? 'Both sides of the merge conflict were read.'
      : 'Not all of it can be read: entries of other organizations and `protect` settings may be lost. The damaged file is kept as a copy.',
  );
}

/** Lists the entries that the new state file no longer has. */
function noteLost({ note }: Session, { rows }: RebuiltState): void {
  const lost = rows.flatMap(({ address, status, id, was }) =>
    status === 'forgotten' ? [`${address} (${id})`] : was === undefined ? [] : [`${address} (${was})`],
  );
  if (lost.length > 0) note(`No longer owned: ${listSome(lost, 10)}.`);
}

/** Prints the blocks. Only data formats contain unchanged ones. */
async function print(session: Session, { rows }: RebuiltState): Promise<void> {
  const isWhole = wantsDocument(session);
  const items = rows
    .filter((row) => isWhole || !row.isSame || row.status === 'missing')
    .map(({ address, kind, status, id, was, differs }) => ({
      status,
      ref: address,
      kind,
      id: id ?? null,
      was: was ?? null,
      differs: isWhole ? differs : differs.join(' '),
    }));
  const columns = ['status', 'ref', 'id', 'was', 'differs'];
  await session.printAll(items, { columns, noun: 'changes', idField: 'ref' });
}

function countsOf({ rows }: RebuiltState): string {
  const count = (status: RebuiltState['rows'][number]['status']) =>
    rows.filter((row) => row.status === status).length;
  const more = [
    [count('missing'), 'would be created'],
    [count('kept'), 'kept'],
    [count('forgotten'), 'forgotten'],
  ] as const;
  return [
    `${plural(count('owned'), 'resource')} owned`,
    ...more.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])),
  ].join(', ');
}
