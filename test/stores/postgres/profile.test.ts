import { expect, test } from 'vitest';
import { chooseProfile, factsOf } from '../../../src/stores/postgres/profile.ts';
import { parsePostgresUrl } from '../../../src/stores/postgres/settings.ts';

const plain = 'PostgreSQL 15.14 (Debian 15.14-0+deb12u1) on x86_64-pc-linux-gnu';
const old = 'PostgreSQL 12.22 on x86_64-pc-linux-gnu';
const [all, pooled] = [
  { lanes: true, laneLocks: 'session', pipeline: true, prepare: true },
  { lanes: false, laneLocks: 'transaction', pipeline: false, prepare: false },
];

test.each([
  [
    [plain, '5003ms', 'f', 'f'],
    { product: 'PostgreSQL', version: '15.14', pooled: false, stamps: true, ...all },
  ],
  [[old, '5003ms', 'f', 'f'], { product: 'PostgreSQL', version: '12.22', stamps: false, ...all }],
  [
    [plain, '5003ms', 't', 'f'],
    { product: 'Amazon Aurora', version: '15.14', pooled: false, stamps: false, ...all },
  ],
  [[plain, '5003ms', 'f', 't'], { product: 'Citus', version: '15.14', pooled: false, stamps: false, ...all }],
  [
    [plain, '0', 'f', 'f'],
    { product: 'PostgreSQL', version: '15.14', pooled: true, stamps: false, ...pooled },
  ],
  // An administrator has set a usual value for the database, and the pooler ignores the setting of the connection.
  [[plain, '5s', 'f', 'f'], { product: 'PostgreSQL', pooled: true, stamps: false, ...pooled }],
  [
    ['CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu)', '5003', 'f', 'f'],
    {
      product: 'CockroachDB',
      version: '25.2.1',
      pooled: false,
      stamps: false,
      ...all,
      lanes: false,
      laneLocks: undefined,
    },
  ],
  [
    ['PostgreSQL 15.2-YB-2.25.2.0-b0 on x86_64-pc-linux-gnu', '5003ms', 'f', 'f'],
    {
      product: 'YugabyteDB',
      version: '2.25.2.0',
      pooled: false,
      stamps: false,
      ...all,
      lanes: false,
      laneLocks: undefined,
    },
  ],
  [
    ['Something else', null, 'f', 'f'],
    { product: 'PostgreSQL', version: '', pooled: true, stamps: false, ...pooled, laneLocks: undefined },
  ],
])('chooses for %j the profile %j', (answer, profile) => {
  expect(chooseProfile(factsOf(answer, true), {})).toMatchObject(profile);
});

test('prefers the settings of the URL', () => {
  const { explicit } = parsePostgresUrl('postgres://localhost/a?lanes=on&prepare=on');
  expect(chooseProfile(factsOf([plain, '0', 'f', 'f'], true), explicit)).toMatchObject({
    ...pooled,
    lanes: true,
    laneLocks: 'session',
    prepare: true,
  });
  // Without lanes, nothing was requested that could reveal a pooler.
  expect(chooseProfile(factsOf([plain, '0', 'f', 'f'], false), { lanes: false })).toMatchObject({
    pooled: false,
    stamps: false,
    ...all,
    lanes: false,
    laneLocks: undefined,
  });
});
