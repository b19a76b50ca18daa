import { Problem } from '../../errors/problem.ts';

export class DatabaseError extends Error {
  /** The SQLSTATE of an error of the database, or the code of an error of the network; empty if it has none. */
  readonly code: string;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const { code } = (cause ?? {}) as { code?: unknown };
    this.code = typeof code === 'string' ? code : '';
  }

  /** Whether the transaction may succeed when it runs again: the reason was a conflict with another one, or a deadlock. */
  get isTransient(): boolean {
    return ['40001', '40P01', '55P03'].includes(this.code);
  }

  /** Whether a unique key was taken. */
  get isTaken(): boolean {
    return this.code === '23505';
  }

  /** Whether the connection was lost, or could not be made. */
  get isLost(): boolean {
    return this.code === '' || /^(08...|57P0[1-5]|53300|E[A-Z]{4,})$/.test(this.code);
  }
}

/** Turns an error of the database into a Problem. Returns any other error unchanged. */
export function databaseFailure(url: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { code, message: detail } = error;
  if (error.isLost)
    return new Problem(
      'store-busy',
      `The database of the store ${url} cannot be reached: ${detail || code}.`,
      {
        hint: 'Check that the database is running, and check the URL of the store. Then try again.',
        retryAfter: 1,
        cause: error,
      },
    );
  const [message, hint] = sentences[code] ??
    sentences[code.slice(0, 2)] ?? [
      `The database of the store failed: ${detail}`,
      'Check the log of the database.',
    ];
  // These need no restart of docsctl: a standby becomes the primary server, a disk gets space, or a high load ends.
  const isTemporary = code === '25006' || code === '57014' || code.startsWith('53');
  return new Problem(isTemporary ? 'store-busy' : 'store-failed', `${message} (${url}).`, {
    hint,
    ...(isTemporary ? { retryAfter: 5 } : {}),
    cause: error,
  });
}

const denied = [
  'The database refuses the user or the password of the store',
  'Check the user and the password in the URL of the store.',
] as const;

const otherLayout = [
  'Another version of docsctl has changed the layout of the store in the meantime',
  'Start docsctl again, with the newer version.',
] as const;

/** By SQLSTATE or its class (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const sentences: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  '28': denied,
  '3D000': [
    'The database of the store does not exist',
    'Create it with `createdb`, or check the URL of the store.',
  ],
  '42501': [
    'The user of the store may not use its schema',
    'Let an administrator of the database create the schema and grant it to the user.',
  ],
  '25006': ['The database of the store is read-only', 'Use the address of the primary server.'],
  '53100': ['The disk of the database is full; nothing was changed', 'Free some space and try again.'],
  '53200': ['The database is out of memory; nothing was changed', 'Try again later.'],
  '54000': ['A value is too long for the database', 'Shorten it and try again.'],
  '57014': [
    'The database ended the request because it took too long',
    'Try again, or raise statement_timeout.',
  ],
  '23502': otherLayout,
  '42703': otherLayout,
  XX001: [
    'The database of the store is damaged',
    'Restore it from a backup: `docsctl store restore FILE --replace`.',
  ],
  XX002: ['An index of the database is damaged', 'Run REINDEX DATABASE as an administrator of the database.'],
};
