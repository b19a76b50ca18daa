import { relative } from 'node:path';
import { replaceWithRebuilt, rebuildState, type RebuiltState } from '../../manifest/rebuild-state.ts';
import { keepBackup, rescueState, type RescuedState } from '../../manifest/rescue-state.ts';
import { stateIn } from '../../manifest/state-file.ts';
import { ManifestState } from '../../manifest/manifest-state.ts';
import { confirm } from '../confirm.ts';
import { holdingLock, openLive, surveySession, type Live } from '../manifest/live.ts';
import { addJobsOption, addLockOption, addReadOptions, type ReadOptions } from '../manifest/options.ts';
import { readWanted, type Reading } from '../manifest/read-wanted.ts';
import { some } from '../manifest/shown-step.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';

interface Options extends ReadOptions {
  readonly lock?: string;
  readonly jobs: number;
}

export const define: DefineCommand = (command, inSession) => {
  addJobsOption(addLockOption(addReadOptions(command)))
    .addHelpText(
      'after',
      `
Says anew which live resource each block of the manifest is: the one of its id, or the only one of its title, path or name.
Two that match are an error that names both; where the old lock can be read, it decides between them. Its key, protections
and checkpoints stay. A lock that is damaged, as by a merge conflict, is kept beside as docsctl.lock.json.bak. Nothing live
is changed. Secrets cannot be compared: the next apply sets them again.

Examples:
  docsctl lock rebuild --dry-run
  docsctl lock rebuild -f org/ -y
`,
    )
    .action(inSession(rebuild));
};

async function rebuild(session: Session, options: Options): Promise<void> {
  const reading = await readWanted(session, options);
  const live = await openLive(session, reading, options);
  let rescued: RescuedState | undefined;
  const read = (): RescuedState['file'] => (rescued = rescueState(live.lockOptions)).file;
  if (session.flags.dryRun === true) {
    const lock = stateIn(read(), live.lockOptions);
    noteDamage(session, rescued!);
    await print(session, await findAnew(session, reading, live, lock, options.jobs));
    return session.note('Dry run: the lock was not written.');
  }
  await holdingLock(
    live,
    async ({ state, save }) => {
      const { damage } = rescued!;
      noteDamage(session, rescued!);
      const rebuilt = await findAnew(session, reading, live, state, options.jobs);
      const isSame = damage === undefined && rebuilt.rows.every((row) => row.isSame);
      if (!isSame) {
        noteLost(session, rebuilt);
        await confirm(session, {
          verb: 'rebuild',
          noun: 'lock',
          names: [`for ${live.organization}: ${countsOf(rebuilt)}`],
        });
        const aside = damage === undefined ? undefined : keepBackup(live.lockOptions.path);
        replaceWithRebuilt(state, rebuilt);
        await save();
        if (aside !== undefined)
          session.note(`The damaged lock is kept as ${relative(session.runtime.cwd, aside)}.`);
      }
      await print(session, rebuilt);
      session.note(
        `${countsOf(rebuilt)}${isSame ? '; the lock said so already' : ''}. Nothing live was changed.`,
      );
    },
    read,
  );
}

async function findAnew(
  session: Session,
  reading: Reading,
  live: Live,
  old: ManifestState,
  jobs: number,
): Promise<RebuiltState> {
  const lock = new ManifestState({
    place: old.place,
    organization: live.organization,
    key: '0'.repeat(64),
    serial: 0,
    resources: {},
  });
  const formerId = (address: string): string | undefined => old.get(address)?.id;
  const survey = await surveySession(session, reading, live, { state: lock, jobs, formerId });
  return rebuildState(reading.desired, survey, old);
}

function noteDamage({ note }: Session, { damage, isWhole }: RescuedState): void {
  if (damage === undefined) return;
  note(damage.message);
  note(
    isWhole
      ? 'Both sides of the conflict were read.'
      : 'What it says of other organizations, and what it protects, may not come into the new one: look for that in the copy that is kept.',
  );
}

/** What the old lock says and the new one does not is told before anybody is asked. */
function noteLost({ note }: Session, { rows }: RebuiltState): void {
  const lost = rows.flatMap(({ address, status, id, was }) =>
    status === 'forgotten' ? [`${address} (${id})`] : was === undefined ? [] : [`${address} (${was})`],
  );
  if (lost.length > 0) note(`No longer owned: ${some(lost)}.`);
}

/** What is as it was is not told one by one. */
async function print(session: Session, { rows }: RebuiltState): Promise<void> {
  const isWhole = session.format === 'json' || session.format === 'yaml' || session.flags.query !== undefined;
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
  const printer = await session.printer({
    columns: ['status', 'ref', 'id', 'was', 'differs'],
    noun: 'changes',
    idField: 'ref',
  });
  await printer.page({ items, count: items.length });
  await printer.end();
}

function countsOf({ rows }: RebuiltState): string {
  const count = (status: RebuiltState['rows'][number]['status']): number =>
    rows.filter((row) => row.status === status).length;
  const more = [
    [count('missing'), 'would be created'],
    [count('kept'), 'kept'],
    [count('forgotten'), 'forgotten'],
  ] as const;
  return [
    `${count('owned')} owned`,
    ...more.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])),
  ].join(', ');
}
