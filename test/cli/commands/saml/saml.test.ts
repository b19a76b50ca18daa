import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sink } from '../../../client/outgoing-support.ts';
import { bare, makeCertificate, rsa } from '../../../saml/certificate-maker.ts';
import { docsctl, type Ran } from '../../../support/cli.ts';

let home: string;
let certificate: string;
let metadata: string;
const run = (words: string, env: Record<string, string> = {}, input?: string): Promise<Ran> =>
  docsctl(words.split(' '), {
    home,
    ...(input === undefined ? {} : { input }),
    env: {
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
      DOCSCTL_STORE: `json:${join(home, 'store.json')}`,
      ...env,
    },
  });

beforeAll(() => {
  certificate = makeCertificate(rsa());
  metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.test/"><IDPSSODescriptor WantAuthnRequestsSigned="true"><KeyDescriptor><KeyInfo><X509Data><X509Certificate>${bare(certificate)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/sso"/></IDPSSODescriptor></EntityDescriptor>`;
});
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-saml-'));
  await run('init --org-title Acme --email ana@acme.test');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('docsctl saml update without changes is refused', async () => {
  await run('saml create --label Okta');
  expect(await run('saml update Okta')).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('Nothing to change: give at least one of --label'),
  });
  expect((await run('saml update Okta --label Entra')).exit).toBe(0);
});

const made = {
  label: 'Okta',
  entityID: 'https://idp.test/',
  ssoURL: 'https://idp.test/sso',
  defaultRole: 'read',
  status: 'active',
};

describe('docsctl saml create', () => {
  it('reads metadata from a file and from standard input', async () => {
    const file = join(home, 'idp.xml');
    writeFileSync(file, metadata);
    const first = await run(`saml create --label Okta --metadata ${file} --default-role read -o json`);
    expect(JSON.parse(first.stdout)).toMatchObject({ ...made, certificate });
    expect(first.stderr).toContain('signed requests');
    const second = await run(
      'saml create --label Two --metadata - --sso-url https://other.test/',
      {},
      metadata.replace('https://idp.test/"', 'https://two.test/"'),
    );
    expect(second).toMatchObject({ exit: 0, stdout: expect.stringContaining('https://other.test/') });
    expect(second.stderr).toContain('At the identity provider, enter the entity ID');
    expect(JSON.parse((await run('sso list -o json')).stdout).items).toHaveLength(2);
  });

  it('reads metadata from an address, but from a private address only if it is allowed', async () => {
    const far = await sink(
      (response, { url }) =>
        void (url === '/metadata' ? response.end(metadata) : response.writeHead(404).end()),
    );
    const words = `saml create --label Okta --metadata ${far.url}/metadata --default-role read -o json`;
    const refused = await run(words);
    expect([refused.exit, far.seen.length]).toEqual([11, 0]);
    expect(refused.stderr).toContain('DOCSCTL_ALLOW_PRIVATE');
    const allowed = { DOCSCTL_ALLOW_PRIVATE: '127.0.0.1' };
    expect(JSON.parse((await run(words, allowed)).stdout)).toMatchObject(made);
    expect(await run(`saml create --label X --metadata ${far.url}/none`, allowed)).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('answered with HTTP status 404'),
    });
    expect((await run('saml create --label X --metadata ftp://idp.test/')).exit).toBe(11);
  });

  it('shows the expiry of certificates in saml list', async () => {
    for (const [label, to] of [
      ['Old', '2025-06-01T00:00:00Z'],
      ['New', '2049-06-01T00:00:00Z'],
    ] as const) {
      writeFileSync(join(home, `${label}.pem`), makeCertificate(rsa(), { to }));
      await run(
        `saml create --label ${label} --entity-id ${label} --sso-url https://idp.test/ --certificate @${join(home, `${label}.pem`)} -o json`,
      );
    }
    await run('saml create --label None -o json');
    const rows = async (words: string) =>
      (await run(`saml list --sort-by label --no-headers ${words}`)).stdout.trim().split('\n');
    expect(await rows('--columns label,expires')).toEqual(['New\t2049-06-01', 'None\t-', 'Old\t2025-06-01']);
    expect(await rows('--columns label,expires --color always')).toEqual([
      expect.stringMatching(/^New +2049-06-01, \d+ days/),
      expect.stringContaining('None'),
      expect.stringContaining('expired 2025-06-01'),
    ]);
  });

  it('accepts the fields as options, and reports what is wrong with a certificate', async () => {
    const file = join(home, 'okta.pem');
    writeFileSync(file, makeCertificate(rsa(), { to: '2025-06-01T00:00:00Z' }));
    const ran = await run(
      `saml create --label Okta --entity-id x --sso-url https://idp.test/ --certificate @${file} -o json`,
    );
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'pending' });
    expect(ran.stderr).toContain('expired on 2025-06-01');
    expect(await run('saml create --label Okta --certificate x')).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('X.509'),
    });
    expect((await run('saml create')).exit).toBe(64);
    expect((await run('saml create --label Okta --metadata none.xml')).exit).toBe(8);
  });

  it('reports which fields a pending provider lacks', async () => {
    const file = join(home, 'okta.pem');
    writeFileSync(file, certificate);
    const first = await run('saml create --label A');
    expect(first.stderr).toContain(
      'no sign-in address (--sso-url), entity ID (--entity-id) or certificate (--certificate).',
    );
    const second = await run(`saml create --label B --sso-url https://idp.test/ --certificate @${file}`);
    expect(second.stderr).toContain(
      'The provider is pending: it has no entity ID (--entity-id). To complete it, run `docsctl saml update saml_',
    );
    writeFileSync(file, makeCertificate(rsa(), { to: '2025-06-01T00:00:00Z' }));
    const third = await run(`saml update B --entity-id x --certificate @${file}`);
    expect(third.stderr).toContain('it has no valid certificate (--certificate).');
  });

  it('refuses an entity ID that another provider has, with a command that changes that provider', async () => {
    await run('saml create --label A --entity-id x');
    const { exit, stderr } = await run('saml create --label B --entity-id x');
    expect([exit, stderr]).toEqual([
      6,
      expect.stringMatching(
        /hint: Change that provider, .*`docsctl saml update saml_\w+ --metadata FILE`, or/,
      ),
    ]);
  });

  it('shows a summary of the certificate in a table, and the whole certificate as data', async () => {
    const table = await run('saml create --label Okta --metadata -', {}, metadata);
    expect(table.stdout).toMatch(
      /^certificate\tCN=idp\.test, valid until 2040-01-01, SHA-256 [\dA-F]{2}(?::[\dA-F]{2}){7}…$/m,
    );
    expect(table.stdout).not.toContain('BEGIN');
    expect((await run('saml update Okta --label New --query certificate')).stdout).toContain(
      'BEGIN CERTIFICATE',
    );
    expect(JSON.parse((await run('saml update New --label Okta -o json')).stdout).certificate).toBe(
      certificate,
    );
  });

  it('reports the position of a mistake in metadata, and an entity ID that is in use', async () => {
    const file = join(home, 'idp.xml');
    writeFileSync(
      file,
      metadata.replace('<IDPSSODescriptor', '\n<IDPSSODescriptor').replace('</IDPSSODescriptor>', '\n'),
    );
    const wrong = await run(`saml create --label Okta --metadata ${file}`);
    expect(wrong).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining(`${file}: The XML is not well-formed at line 3, column 1: </`),
    });
    expect((await run('saml create --label Okta --metadata -', {}, 'hello')).stderr).toContain(
      'Standard input: The XML is not well-formed at line 1, column 1.',
    );
    await run('saml create --label Okta --metadata -', {}, metadata);
    expect(await run('saml create --label Two --metadata -', {}, metadata)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('"Okta"'),
    });
  });

  it('prints the request with --dry-run', async () => {
    const ran = await run('saml create --label Okta --metadata - --dry-run -o json', {}, metadata);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      method: 'POST',
      body: { label: 'Okta', entityID: 'https://idp.test/', certificate },
    });
    expect(JSON.parse((await run('saml list -o json')).stdout).items).toEqual([]);
  });
});

describe('docsctl saml get', () => {
  it('shows a summary of the certificate in a table, and the whole certificate as data', async () => {
    await run('saml create --label Okta --metadata -', {}, metadata);
    await run('saml create --label Two');
    const words = /CN=idp\.test, valid until 2040-01-01, SHA-256 [\dA-F]{2}(?::[\dA-F]{2}){7}…$/m;
    for (const line of ['saml get Okta', 'saml get --provider Okta'])
      expect((await run(line)).stdout).toMatch(words);
    expect((await run('saml get Okta --columns label,certificate')).stdout).toMatch(words);
    expect(JSON.parse((await run('saml get Okta -o json')).stdout)).toMatchObject({
      label: 'Okta',
      certificate,
    });
    expect((await run('saml get Okta -o yaml')).stdout).toContain('BEGIN CERTIFICATE');
    expect((await run('saml get Okta --query certificate')).stdout).toContain('BEGIN CERTIFICATE');
    expect((await run('saml get Two')).stdout).toMatch(/^status\tpending$/m);
  });

  it('shows several providers with the columns of saml list', async () => {
    await run('saml create --label Okta --metadata -', {}, metadata);
    await run('saml create --label Two');
    const { stdout } = await run('saml list');
    expect(stdout).toMatch(/^label\tstatus\texpires\t/);
    const [head, ...rows] = stdout.trim().split('\n');
    const many = (await run('saml get Okta Two')).stdout.trim().split('\n');
    expect([many[0], ...many.slice(1).sort()]).toEqual([head, ...rows.sort()]);
    expect((await run('saml get Okta Two --columns label,expires,certificate')).stdout).toContain(
      '\t2040-01-01',
    );
  });

  it('accepts several providers, by label, by ID or from standard input', async () => {
    const id = (await run('saml create --label A -o id')).stdout.trim();
    await run('saml create --label B');
    expect(JSON.parse((await run(`saml get ${id} B -o json`)).stdout)).toMatchObject({
      count: 2,
      items: [{ label: 'A' }, { label: 'B' }],
    });
    expect(JSON.parse((await run('saml get - -o json', {}, `${id}\n`)).stdout)).toMatchObject({
      count: 1,
      items: [{ id }],
    });
    expect((await run('saml get')).exit).toBe(64);
    expect((await run('saml get A Nobody')).exit).toBe(5);
  });
});

describe('docsctl saml update', () => {
  it('updates a provider with new metadata, by its label', async () => {
    await run('saml create --label Okta --default-role read');
    expect(
      JSON.parse((await run('saml update Okta --metadata - -o json', {}, metadata)).stdout),
    ).toMatchObject(made);
    expect(
      JSON.parse((await run('saml update --provider Okta --label New --unset default-role -o json')).stdout),
    ).toMatchObject({
      label: 'New',
      defaultRole: null,
      status: 'active',
    });
    expect((await run('saml update --label X')).exit).toBe(64);
    expect((await run('saml update Nobody --label X')).exit).toBe(5);
    const required = await run('orgs update Acme --sso');
    expect(required.stderr).toMatch(
      /members except administrators need a sign-in: .*`docsctl login --sso \S+\/start`/,
    );
    await run('orgs update Acme --no-sso');
    expect((await run('saml delete New')).stderr).toContain('delete the SAML provider New');
    expect((await run('saml delete New --yes')).exit).toBe(0);
    const env = { DOCSCTL_STORE: `json:${join(home, 'store.json')}` };
    expect((await docsctl(['saml', 'list'], { home, env, tty: true })).stderr).toBe('No SAML providers.\n');
  });
});
