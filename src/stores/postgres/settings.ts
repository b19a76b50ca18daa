import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { Features } from './profile.ts';

/** The connection settings in the URL of a database. */
export interface PostgresSettings {
  /** The URL without the parameters of docsctl. It contains the password. */
  readonly connection: string;
  /** The URL without the password, to show to users. */
  readonly shownUrl: string;
  /** The schema that holds the tables (default `docsctl`). */
  readonly schema: string;
  /** Maximum number of connections for transactions, 1 to 100 (default 10). */
  readonly connections: number;
  /** Options of the session, as `-c name=value`. */
  readonly options: string | undefined;
  /** Features that the URL sets. The others are chosen by the product of the database. */
  readonly explicit: Partial<Features>;
}

const hint =
  'Write it like postgres://USER@HOST:5432/DATABASE. docsctl adds the parameters schema, connections, pipeline, prepare and lanes.';

/**
 * Parses the URL of a PostgreSQL store. Parameters that docsctl does not know belong to the driver, such as `sslmode`.
 *
 * @throws Problem(invalid-input) for an invalid URL or parameter
 */
export function parsePostgresUrl(text: string): PostgresSettings {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new Problem(
      'invalid-input',
      'The URL of the PostgreSQL store is not valid, or names no database.',
      {
        hint,
      },
    );
  const take = (name: string): string | undefined => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value;
  };
  const schema = take('schema') ?? 'docsctl';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new Problem('invalid-input', `"${schema.slice(0, 80)}" cannot be the schema of a store.`, {
      hint: 'Use at most 63 lowercase letters, digits and underscores.',
    });
  const connections = Number(take('connections') ?? 10);
  if (!Number.isInteger(connections) || connections < 1 || connections > 100)
    throw new Problem(
      'invalid-input',
      'The parameter connections of the store URL is not a number from 1 to 100.',
      {
        hint,
      },
    );
  const isOn = (name: string): boolean | undefined => {
    const value = take(name);
    if (value === undefined) return undefined;
    if (value === 'on' || value === 'off') return value === 'on';
    throw new Problem('invalid-input', `The parameter ${name} of the store URL is neither "on" nor "off".`, {
      hint,
    });
  };
  const explicit = defined({ lanes: isOn('lanes'), pipeline: isOn('pipeline'), prepare: isOn('prepare') });
  const options = take('options');
  const connection = url.href;
  url.password = '';
  url.search = schema === 'docsctl' ? '' : `?schema=${schema}`;
  return { connection, shownUrl: url.href, schema, connections, options, explicit };
}
