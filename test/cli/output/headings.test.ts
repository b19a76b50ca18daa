import { describe, expect, it } from 'vitest';
import { parseColumns, readColumns } from '../../../src/cli/output/columns.ts';
import { headingsOf, withHeadings } from '../../../src/cli/output/headings.ts';

const listed = (columns: string) => headingsOf(parseColumns([columns])).join(', ');
const ofRecord = (paths: readonly string[], fields: readonly string[] = []) =>
  withHeadings(
    paths.map((path) => [path, 1]),
    fields,
  ).map(([heading]) => heading);

describe('headings of a list', () => {
  it.each([
    ['user.displayName,user.email,lastSeenAt,id', 'name, email, last seen, id'],
    ['actor.label,target.type,target.label', 'actor, type, target'],
    ['payload.type,target.type,type', 'payload type, target type, type'],
    ['adaptiveContent.enabled,isActive,sourceURL,ssoURL', 'adaptive content, active, source URL, SSO URL'],
    ['stats.latestKept=stats.untranslated,proof.name=proofName', 'untranslated, proof name'],
    ['postedBy.displayName,body.markdown,installationId', 'posted by, text, installation ID'],
    ['eventsCount,changeCount', 'events, change count'],
  ])('are short words: %s', (columns, headings) => {
    expect(listed(columns)).toBe(headings);
  });
});

describe('headings of a single resource', () => {
  it('are the words of the path', () => {
    expect(ofRecord(['id', 'mergeRules.type', 'adaptiveContent.enabled', 'adaptiveContent.token'])).toEqual([
      'id',
      'merge rules type',
      'adaptive content',
      'adaptive content token',
    ]);
    expect(ofRecord(['actor.label', 'actor.type', 'proof.name', 'proof.value', 'owner.name'])).toEqual([
      'actor',
      'actor type',
      'proof name',
      'proof value',
      'owner',
    ]);
  });

  it('keep keys that are data', () => {
    expect(ofRecord(['claims.planTier', 'claims.a.b', 'lastSeenAt'], ['claims', 'claims.*'])).toEqual([
      'claims planTier',
      'claims a.b',
      'last seen',
    ]);
  });

  it('are unique', () => {
    expect(ofRecord(['createdAt', 'created', 'actor', 'actor.title'])).toEqual([
      'created at',
      'created',
      'actor',
      'actor title',
    ]);
  });
});

describe('--columns and --sort-by', () => {
  const fields = ['actor', 'actor.label', 'lastSeenAt', 'createdAt', 'created'];
  const known = ['actor.label', 'lastSeenAt', 'createdAt'];

  it('accept headings of tables as well as paths', () => {
    expect(readColumns({ columns: 'last seen,actor.label', sortBy: '-last seen' }, known, fields)).toEqual({
      columns: ['lastSeenAt=last seen', 'actor.label'],
      sortBy: '-lastSeenAt',
    });
  });

  it('read a word that is a field and a heading as the field', () => {
    expect(readColumns({ columns: 'actor,created' }, known, fields).columns).toEqual(['actor', 'created']);
  });
});
