import { nullable, Type } from '../../../contract/schema.ts';
import { plural } from '../../../contract/values.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { formatBytes } from '../../manifest/describe-step.ts';
import { wantsReport, type Session } from '../../session/session.ts';
import type { DatabaseInfo, StoreInfo } from '../../../stores/info.ts';
import { askStore, isRemote } from './remote.ts';
import { targetOf } from './target.ts';

export const help: CommandHelp = {
  description: `
Shows the kind of the store, its URL without the password, its format version, its size, its number of rows and its
largest tables. It also shows whether the key that encrypts its secrets exists, and the last backup that docsctl wrote
or restored. For PostgreSQL, it shows the product and version of the database, and which of its features docsctl uses.
Changes nothing.

With --server, the server describes its store, without the path or host. This needs the token of the operator, which
\`docsctl init\` printed.
`,
  examples: ['docsctl store info', "docsctl store info -o json --query 'tables[0]'"],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(inSession(showInfo));
};

/** How many tables the report shows. */
const shownTables = 10;

async function showInfo(session: Session): Promise<void> {
  const info = await (isRemote(session) ? readRemotely(session) : readHere(session));
  if (!wantsReport(session)) return session.print(info);
  const { kind, database, url, formatVersion, size, rows, tables, backup, movedTo, key } = info;
  await session.print({
    kind,
    ...(database !== null && {
      database: `${database.product} ${database.version}${database.pooled ? ' behind a pooler' : ''}`,
      profile: describeProfile(database),
    }),
    url,
    'format version': formatVersion,
    ...(size !== null && { size: formatBytes(size) }),
    rows,
    key: key ?? 'none here',
    'last backup': backup === null ? 'none known' : `${backup.at}, ${plural(backup.rows ?? 0, 'row')}`,
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

interface ShownInfo extends StoreInfo {
  /** The fingerprint of the key of the secrets. */
  readonly key: string | null;
}

async function readHere(session: Session): Promise<ShownInfo> {
  const target = await targetOf(session, 'store info');
  const [{ readStoreInfo }, { fingerprintOfKey }] = await Promise.all([
    import('../../../stores/info.ts'),
    import('../../../stores/backup/key-report.ts'),
  ]);
  const info = await readStoreInfo(target);
  return { ...info, key: (await fingerprintOfKey(target.url, session.runtime)) ?? null };
}

const InfoAnswer = Type.Object({
  kind: Type.String(),
  database: nullable(
    Type.Object({
      product: Type.String(),
      version: Type.String(),
      pooled: Type.Boolean(),
      lanes: Type.Boolean(),
      pipeline: Type.Boolean(),
      prepare: Type.Boolean(),
      search: Type.String(),
    }),
  ),
  formatVersion: Type.Integer(),
  size: nullable(Type.Number()),
  rows: Type.Integer(),
  tables: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer(), bytes: Type.Number() })),
  backup: nullable(Type.Object({ at: Type.String(), rows: Type.Optional(nullable(Type.Integer())) })),
  key: nullable(Type.String()),
});

/** Asks the server. It does not return the location of its store. */
async function readRemotely(session: Session): Promise<ShownInfo> {
  const { place, ...info } = await askStore<ShownInfo>(session, {
    words: 'store info',
    method: 'GET',
    path: '/store/info',
    schema: InfoAnswer,
  });
  return { ...info, url: place };
}
