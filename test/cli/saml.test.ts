import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sink } from '../client/outgoing-support.ts';
import { bare, makeCertificate, rsa } from '../saml/certificate-maker.ts';
import { docsctl, type Ran } from '../support/cli.ts';

let home: string;
let certificate: string;
let metadata: string;
const run = (words: string, env: Record<string, string> = {}, input?: string): Promise<Ran> =>
  docsctl(words.split(' '), {
    home,
    ...(input === undefined ? {} : { input }),
    env: { DOCSCTL_CONFIG_DIR: join(home, 'config'), DOCSCTL_STORE: `json:${join(home, 'store.json')}`, ...env },
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

const made = { label: 'Okta', entityID: 'https://idp.test/', ssoURL: 'https://idp.test/sso', defaultRole: 'read', status: 'active' };

describe('docsctl saml create', () => {
  it('reads metadata from a file and from standard input', async () => {
    const file = join(home, 'idp.xml');
    writeFileSync(file, metadata);
    const first = await run(`saml create --label Okta --metadata ${file} --default-role read -o json`);
    expect(JSON.parse(first.stdout)).toMatchObject({ ...made, certificate });
    expect(first.stderr).toContain('signed requests');
    const second = await run('saml create --label Two --metadata - --sso-url https://other.test/', {}, metadata);
    expect(second).toMatchObject({ exit: 0, stdout: expect.stringContaining('https://other.test/') });
    expect(second.stderr).toContain('Tell the identity provider: entity id');
    expect(JSON.parse((await run('sso list -o json')).stdout).items).toHaveLength(2);
  });

  it('reads it from an address, which is no private one unless that is allowed', async () => {
    const far = await sink((response, { url }) => void (url === '/metadata' ? response.end(metadata) : response.writeHead(404).end()));
    const words = `saml create --label Okta --metadata ${far.url}/metadata --default-role read -o json`;
    const refused = await run(words);
    expect([refused.exit, far.seen.length]).toEqual([11, 0]);
    expect(refused.stderr).toContain('DOCSCTL_ALLOW_PRIVATE');
    const allowed = { DOCSCTL_ALLOW_PRIVATE: '127.0.0.1' };
    expect(JSON.parse((await run(words, allowed)).stdout)).toMatchObject(made);
    expect(await run(`saml create --label X --metadata ${far.url}/none`, allowed)).toMatchObject({ exit: 69, stderr: expect.stringContaining('answers 404') });
    expect((await run('saml create --label X --metadata ftp://idp.test/')).exit).toBe(11);
  });

  it('takes the fields as flags, and says what is wrong with a certificate', async () => {
    const file = join(home, 'okta.pem');
    writeFileSync(file, makeCertificate(rsa(), { to: '2025-06-01T00:00:00Z' }));
    const ran = await run(`saml create --label Okta --entity-id x --sso-url https://idp.test/ --certificate @${file} -o json`);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'pending' });
    expect(ran.stderr).toContain('expired on 2025-06-01');
    expect(await run('saml create --label Okta --certificate x')).toMatchObject({ exit: 8, stderr: expect.stringContaining('X.509') });
    expect((await run('saml create')).exit).toBe(8);
    expect((await run('saml create --label Okta --metadata none.xml')).exit).toBe(8);
  });

  it('shows on demand what it would send', async () => {
    const ran = await run('saml create --label Okta --metadata - --dry-run -o json', {}, metadata);
    expect(JSON.parse(ran.stdout)).toMatchObject({ method: 'POST', body: { label: 'Okta', entityID: 'https://idp.test/', certificate } });
    expect(JSON.parse((await run('saml list -o json')).stdout).items).toEqual([]);
  });
});

describe('docsctl saml update', () => {
  it('brings a provider to new metadata, by its label', async () => {
    await run('saml create --label Okta --default-role read');
    expect(JSON.parse((await run('saml update Okta --metadata - -o json', {}, metadata)).stdout)).toMatchObject(made);
    expect(JSON.parse((await run('saml update --provider Okta --label New --unset default-role -o json')).stdout)).toMatchObject({
      label: 'New',
      defaultRole: null,
      status: 'active',
    });
    expect((await run('saml update --label X')).exit).toBe(64);
    expect((await run('saml update Nobody --label X')).exit).toBe(5);
    expect((await run('saml delete New --yes')).exit).toBe(0);
  });
});
