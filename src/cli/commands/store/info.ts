import { plural } from '../../../contract/values.ts';
import type { CommandHelp } from '../../command-help.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { formatBytes } from '../../manifest/describe-step.ts';
import { wantsReport, type Session } from '../../session.ts';
import type { DatabaseInfo } from '../../../stores/info.ts';
import { targetOf } from './target.ts';

export const help: CommandHelp = {
  description: `
Shows the kind and the URL of the store, without a password, what its database is and how docsctl uses it, its size, its rows, the largest tables, whether the key of its secrets is there, and the last backup that docsctl wrote or restored. Changes nothing.
`,
  examples: ['docsctl store info', "docsctl store info -o json --query 'tables[0]'"],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(inSession(showInfo));
};

/** How many tables the report shows. */
const shownTables = 10;

async function showInfo(session: Session): Promise<void> {
  const target = await targetOf(session, 'store info');
  const [{ readStoreInfo }, { fingerprintOfKey }] = await Promise.all([
    import('../../../stores/info.ts'),
    import('../../../stores/backup/key-report.ts'),
  ]);
  const info = await readStoreInfo(target);
  const key = await fingerprintOfKey(target.url, session.runtime);
  if (!wantsReport(session))
    return session.print({
      ...info,
      database: info.database ?? null,
      key: key ?? null,
      backup: info.backup ?? null,
      size: info.size ?? null,
    });
  const { kind, database, url, formatVersion, size, rows, tables, backup, movedTo } = info;
  await session.print({
    kind,
    ...(database !== undefined && {
      database: `${database.product} ${database.version}${database.pooled ? ' behind a pooler' : ''}`,
      profile: describeProfile(database),
    }),
    url,
    'format version': formatVersion,
    ...(size !== undefined && { size: formatBytes(size) }),
    rows,
    key: key ?? 'none here',
    'last backup': backup === undefined ? 'none known' : `${backup.at}, ${plural(backup.rows ?? 0, 'row')}`,
    ...(movedTo !== undefined && { 'moved to': movedTo }),
    ...Object.fromEntries(
      tables
        .slice(0, shownTables)
        .map((table) => [table.table, `${plural(table.rows, 'row')}, ${formatBytes(table.bytes)}`]),
    ),
  });
}

function describeProfile({ lanes, pipeline, prepare, search }: DatabaseInfo): string {
  const features = Object.entries({ lanes, pipeline, prepare });
  return [...features.map(([name, isOn]) => `${name} ${isOn ? 'on' : 'off'}`), `search by ${search}`].join(
    ', ',
  );
}
