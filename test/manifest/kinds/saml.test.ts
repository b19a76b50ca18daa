import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bare, makeCertificate } from '../../saml/certificate-maker.ts';
import { linesOf, type Bench } from '../bench.ts';
import { desiredFaults, desiredOf } from '../desired.ts';
import { faultsIn } from '../read/folder.ts';
import { answersFor, benchWith, type Row } from './later-api.ts';

const certificate = makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const text = (fields = '', label = 'Okta') =>
  `teams: { writers: { title: Writers } }\nsaml:\n  okta: { label: ${label}, entityID: "https://idp.test/x", ssoURL: "https://idp.test/sso", certificate: !file okta.pem, defaultTeam: !ref team.writers, ${fields} }`;

async function world() {
  const rows = new Map<string, Row>();
  const withTeam = ({ defaultTeam, ...row }: Row): Row => ({
    ...row,
    ...(defaultTeam === undefined ? {} : { defaultTeam: defaultTeam === null ? null : { id: defaultTeam } }),
  });
  const bench = await benchWith(answersFor('saml', 'samlProviderId', rows, ({ body }) => ({ id: `saml_${rows.size + 1}`, defaultRole: null, ...withTeam(body) }), (row, body) => ({ ...row, ...withTeam(body) }))); // prettier-ignore
  writeFileSync(join(bench.folder, 'okta.pem'), certificate);
  return { bench, rows };
}
const teamOf = (bench: Bench) => bench.lock!.resources['team.writers']!.id;

describe('SAML providers in a manifest', () => {
  it('are created with all fields in one call, after their team, and the next plan is empty', async () => {
    const { bench, rows } = await world();
    await bench.bring(text('defaultRole: comment'));
    expect([...rows.values()]).toEqual([
      {
        id: 'saml_1',
        label: 'Okta',
        entityID: 'https://idp.test/x',
        ssoURL: 'https://idp.test/sso',
        certificate,
        defaultTeam: { id: teamOf(bench) },
        defaultRole: 'comment',
      },
    ]);
    expect(bench.changing.map(({ operation }) => operation.id)).toEqual(['teams.create', 'saml.create']);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('are identified by their label, and renamed in place', async () => {
    const { bench, rows } = await world();
    rows.set('saml_9', {
      id: 'saml_9',
      label: 'Okta',
      entityID: 'x',
      ssoURL: 'https://idp.test/sso',
      certificate: certificate.replaceAll('\n', '\r\n'),
      defaultRole: null,
    });
    bench.write(text());
    expect(linesOf(await bench.plan())[1]).toBe(
      'adopt saml.okta entityID: "x" ⇒ "https://idp.test/x" defaultTeam: null ⇒ →team.writers',
    );
    await bench.apply();
    await bench.bring(text('', 'Okta 2'));
    expect([...rows.values()]).toMatchObject([{ id: 'saml_9', label: 'Okta 2' }]);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('show a certificate that was changed by hand, and clear a team and a role', async () => {
    const { bench, rows } = await world();
    await bench.bring(text('defaultRole: comment'));
    rows.set('saml_1', { ...rows.get('saml_1'), certificate: 'other' });
    bench.write(text('defaultRole: null').replace('!ref team.writers', 'null'));
    expect((await bench.plan()).steps[1]!.changes).toEqual([
      { field: 'certificate', before: 'other', after: certificate, moved: 'live' },
      { field: 'defaultTeam', before: expect.anything(), after: null, moved: 'file' },
      { field: 'defaultRole', before: 'comment', after: null, moved: 'file' },
    ]);
    await bench.apply();
    expect(rows.get('saml_1')).toMatchObject({ certificate, defaultTeam: null, defaultRole: null });
    await bench.bring('teams: { writers: { title: Writers } }\nsaml: {}', { prune: true });
    expect(rows.size).toBe(0);
  });

  it('report mistakes with their positions', async () => {
    const { bench } = await world();
    bench.write(
      'saml:\n  a: { label: A, ssoURL: here, entityID: null }\n  b: { certificate: !file none.pem }',
    );
    expect((await faultsIn(bench.plan())).join('\n')).toMatch(/^org\.yaml:4:21: .*none\.pem/);
    bench.write('saml:\n  a: { label: A, ssoURL: here, entityID: null }\n  b: {}');
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:3:26: "here" is not a valid URL',
      'org.yaml:3:42: null is not allowed here; omit the field to keep its value',
    ]);
    bench.write('saml: { b: {} }');
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:2:9: saml.b does not exist yet; to create it, set "label"',
    ]);
  });
});

describe('a SAML certificate in a manifest', () => {
  const one = makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const text = 'saml: { okta: { label: Okta, certificate: !file c.pem } }';
  const none =
    'is not an X.509 certificate; use the signing certificate of the identity provider, as PEM or as the base64 text in its metadata';

  it.each([
    ['hello', none],
    ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', none],
    [`${one}${one.replace('M', 'A')}`, none],
    [bare(one).slice(0, 100), none],
    [key, 'contains something other than certificates, such as a key'],
    [one + key, 'contains something other than certificates, such as a key'],
  ])('is refused if it is something else, without quoting it: %#', async (certificate, message) => {
    expect(await desiredFaults(text, { 'c.pem': certificate })).toEqual([`org.yaml:2:43: ${message}`]);
  });

  it.each([one, one.repeat(2), bare(one), `Subject: x\n${one.replaceAll('\n', '\r\n')}`, ''])(
    'is accepted as PEM, as several certificates, and without PEM lines: %#',
    async (certificate) => {
      expect((await desiredOf(text, { 'c.pem': certificate })).byAddress.has('saml.okta')).toBe(true);
    },
  );
});
