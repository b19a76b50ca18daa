import { Type } from '../../../contract/schema.ts';
import { plural } from '../../../contract/values.ts';
import { ExitCode, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session/session.ts';
import type { CheckResult } from '../../../stores/check/check-store.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import { withCounts, withStep } from '../../output/progress.ts';
import { askStore, isRemote } from './remote.ts';
import { targetOf } from './target.ts';

interface Options {
  readonly quick?: boolean;
  readonly repair?: boolean;
}

const columns = ['table', 'id', 'what'];

export const help: CommandHelp = {
  columns,
  description: `
Reads all rows of the store and checks their JSON and keys, the indexes, the counts and the search index. Then it
checks the hashes of texts, files and lists of pages, and that no referenced content is missing. For a SQLite store, it
also checks the file itself. Prints one line for each problem, and exits with 69 if there is one. Without --repair, the command changes nothing. Servers and
commands can use the store while it is checked.

--repair rebuilds the keys, indexes, counts and search index of a SQLite or PostgreSQL store from its rows, and then checks again. It cannot bring back lost or damaged rows: restore a backup for that.

With --server, the server checks its own store while it continues to answer requests, and the command waits for the
result. This needs the token of the operator, which \`docsctl init\` printed. --repair works only on the machine of
the store.
`,
  examples: ['docsctl store check', 'docsctl store check -o json', 'docsctl store check --repair'],
  exitCodes: { 69: 'The store is damaged.' },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--quick', 'check only the file (PostgreSQL: only that it can be read), not each row')
    .option('--repair', 'rebuild keys, indexes, counts and the search index')
    .action(inSession(check));
};

async function check(session: Session, { quick = false, repair = false }: Options): Promise<void> {
  const { rows, damages, opens } = await withStep(session, 'Checking the store', () =>
    isRemote(session) ? checkRemotely(session, quick, repair) : checkHere(session, quick, repair),
  );
  await session.printAll(damages, { columns, noun: 'faults' });
  if (damages.length === 0)
    return session.note(
      quick ? 'The file of the store is intact.' : `The store is intact: checked ${plural(rows, 'row')}.`,
    );
  const next = !opens
    ? 'If the path is wrong, name another store with --store. '
    : repair
      ? ''
      : 'To rebuild the keys, indexes, counts and search index of a SQLite or PostgreSQL store, run `docsctl store check --repair` on its machine. ';
  const { maxDamages } = await import('../../../stores/check/check-store.ts');
  const faults = `${damages.length < maxDamages ? '' : 'at least '}${plural(damages.length, 'fault')}`;
  session.note(
    `The store ${opens ? `has ${faults}` : 'cannot be opened'}. ${next}To go back to a backup, run \`docsctl store restore FILE --replace\`.`,
  );
  throw new ExitCode(69);
}

async function checkHere(session: Session, quick: boolean, repair: boolean): Promise<CheckResult> {
  const target = await targetOf(session, 'store check');
  const [{ checkStore, repairStore }, { describeDamage, isNoDamage }] = await Promise.all([
    import('../../../stores/check/check-store.ts'),
    import('../../../stores/failures.ts'),
  ]);
  const repairs = repair && session.flags.dryRun !== true;
  let isRepaired = false;
  try {
    if (repairs) isRepaired = await repairStore(target);
  } catch (error) {
    // The hint for damage would suggest this command.
    if (!isProblem(error, 'store-failed') || isNoDamage(error)) throw error;
    const why = describeDamage(error).replace(/\.$/, '');
    throw new Problem('store-failed', `The store cannot be repaired: ${why}.`, {
      hint: 'Go back to a backup: `docsctl store restore FILE --replace`.',
      cause: error,
    });
  }
  const result = await withCounts(session, 'checked', (onProgress) =>
    checkStore(target, { quick, onProgress }),
  );
  if (isRepaired) session.note('Rebuilt the keys, indexes, counts and search index.');
  else if (repairs)
    session.note('There is nothing to rebuild: only SQLite and PostgreSQL stores have indexes.');
  return result;
}

/** Asks the server to check its store. @throws Problem(usage) with `repair` */
async function checkRemotely(session: Session, quick: boolean, repair: boolean): Promise<CheckResult> {
  if (repair)
    throw new Problem(
      'usage',
      '--repair works only on the machine of the store, but the settings name a server.',
      { hint: 'Run `docsctl store check --repair --store URL` there.' },
    );
  const checked = await askStore<Omit<CheckResult, 'opens'>>(session, {
    words: 'store check',
    method: 'POST',
    path: quick ? '/store/check?quick=true' : '/store/check',
    schema: Type.Object({
      rows: Type.Integer(),
      damages: Type.Array(Type.Object({ table: Type.String(), id: Type.String(), what: Type.String() })),
    }),
  });
  // The server has opened its store, because it answers.
  return { ...checked, opens: true };
}
