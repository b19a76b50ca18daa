import { expect, it } from 'vitest';
import { addRequestNumbers } from '../../../../src/cli/commands/revisions/request-numbers.ts';
import type { Session } from '../../../../src/cli/session/session.ts';
import { Problem } from '../../../../src/errors/problem.ts';

const dayOf = (number: number): string => `2030-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const revision = (number: number) => ({ changeRequest: `cr_${number}`, createdAt: dayOf(number) });

/** Returns a session with the merged change requests 30 to 1, two on a page, and the list of pages that were read. */
function sessionOf() {
  const calls: string[] = [];
  const call = async (_: unknown, { query }: { query: { page?: string } }) => {
    const last = Number(query.page ?? 30);
    calls.push(String(last));
    const items = [last, last - 1].map((number) => ({
      id: `cr_${number}`,
      number,
      updatedAt: dayOf(number),
    }));
    return { items, ...(last > 2 ? { next: { page: String(last - 2) } } : {}) };
  };
  return { session: { call } as unknown as Session, calls };
}

it('addRequestNumbers reads only pages of the list with change requests of the shown revisions', async () => {
  const { session, calls } = sessionOf();
  const add = addRequestNumbers(session, 'spc_1');
  expect(await add([revision(30), { createdAt: dayOf(3) }])).toMatchObject([{ from: 30 }, {}]);
  expect(calls).toEqual(['30']);
  expect(await add([revision(29), revision(27)])).toMatchObject([{ from: 29 }, { from: 27 }]);
  expect(calls).toEqual(['30', '28']);
});

it('addRequestNumbers stops at the age of the revision if its change request is not merged', async () => {
  const { session, calls } = sessionOf();
  const add = addRequestNumbers(session, 'spc_1');
  expect(await add([{ changeRequest: 'cr_open', createdAt: dayOf(27) }])).toMatchObject([
    { from: 'cr_open' },
  ]);
  expect(calls).toEqual(['30', '28', '26']);
});

it('addRequestNumbers reads the whole list only once', async () => {
  const { session, calls } = sessionOf();
  const add = addRequestNumbers(session, 'spc_1');
  for (const createdAt of [dayOf(1), '2029'])
    expect(await add([{ changeRequest: 'cr_gone', createdAt }])).toMatchObject([{ from: 'cr_gone' }]);
  expect(calls).toHaveLength(15);
});

it('addRequestNumbers shows IDs if change requests cannot be read', async () => {
  const call = async (): Promise<never> => {
    throw new Problem('forbidden', 'No.');
  };
  const add = addRequestNumbers({ call } as unknown as Session, 'spc_1');
  expect(await add([revision(2)])).toMatchObject([{ from: 'cr_2' }]);
});
