import { joinOr } from '../../../contract/values.ts';
import type { Command } from 'commander';
import type { Operation, PathParams } from '../../../contract/operation.ts';
import type { Static } from '../../../contract/schema.ts';
import { Problem } from '../../../errors/problem.ts';
import type { SAMLProvider } from '../../../resources/saml/contract.ts';
import { addFields } from '../../input/field-options.ts';
import { readFields } from '../../input/fields.ts';
import { resolveFields } from '../../names/names.ts';
import { defaultsOf } from '../../results/print-results.ts';
import { openOutgoing } from '../../session/open-outgoing.ts';
import { wantsTable, type Session } from '../../session/session.ts';

type Provider = Static<typeof SAMLProvider>;

const maxMetadataBytes = 4 * 2 ** 20;

/** Adds the options of a SAML provider: its fields, and the metadata from which three of them can be read. */
export function addProviderOptions(command: Command, operation: Operation): void {
  addFields(command, operation);
  command.option(
    '--metadata <file|url>',
    'metadata of the identity provider, with its entity ID, sign-in address and certificates: a file, an address, or - for standard input',
  );
}

/** Reads the body from the metadata and from the options, which override it. Notes unusual values. */
export async function readProviderBody(
  session: Session,
  operation: Operation,
  options: Readonly<Record<string, unknown>>,
  params: PathParams,
): Promise<Record<string, unknown>> {
  const given = (await readFields(session, operation, options, {})).body as Record<string, unknown>;
  const now = session.runtime.clock();
  const [{ readIdpMetadata }, { readCertificates, warnOfCertificates }] = await Promise.all([
    import('../../../saml/metadata.ts'),
    import('../../../saml/certificates.ts'),
  ]);
  const { entityID, certificate } = given;
  const from = options['metadata'];
  let body = given;
  if (typeof from === 'string') {
    const text = await readSource(session, from);
    const { notes, ...found } = withName(from === '-' ? 'Standard input' : from, () =>
      readIdpMetadata(text, { entityID: typeof entityID === 'string' ? entityID : undefined, now }),
    );
    notes.forEach(session.note);
    body = { ...found, ...given };
  } else if (typeof certificate === 'string' && certificate.trim() !== '')
    withName('--certificate', () => warnOfCertificates(readCertificates(certificate), now)).forEach(
      session.note,
    );
  return resolveFields(session, operation, body, params);
}

/** Adds the name of a file or option to the start of an error in it. */
function withName<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { reason, message, hint = 'Download it again from the identity provider.', violations } = error;
    throw new Problem(reason, `${name}: ${message}`, { hint, violations });
  }
}

async function readSource(session: Session, from: string): Promise<string> {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(from)) {
    const { readText } = await import('../../input/files.ts');
    return readText(session, from, maxMetadataBytes);
  }
  const send = await openOutgoing(session);
  const { signal } = session.runtime;
  const { status, bytes } = await send({ url: from, maxBytes: maxMetadataBytes, signal });
  if (status !== 200)
    throw new Problem('unreachable', `${from} answered with HTTP status ${status} instead of metadata.`, {
      hint: 'Check the address, or save the metadata as a file and pass that: `--metadata FILE`.',
    });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('invalid-input', `${from} is not UTF-8 text, as SAML metadata must be.`);
  }
}

/** Prints a new or changed provider, and notes the addresses that the identity provider needs. */
export async function printProvider(
  session: Session,
  operation: Operation,
  provider: Provider,
): Promise<void> {
  await session.print(await describeProvider(session, provider), defaultsOf(operation, 'saml'));
  if (session.format !== 'table') return;
  const { acsURL, entityID, startURL } = provider.service;
  session.note(
    `At the identity provider, enter the entity ID ${entityID} (also the address of the metadata) and the ACS URL ${acsURL}.`,
  );
  if (session.settings.server === undefined)
    session.note('With `docsctl serve --public-url URL`, these addresses begin with that URL.');
  session.note(
    provider.status === 'active'
      ? `People sign in at ${startURL}.`
      : await pendingNote(provider, session.runtime.clock()),
  );
}

/** Returns the output for a provider. A table shows its certificates in a short form. */
export async function describeProvider(session: Session, provider: Provider): Promise<object> {
  if (!wantsTable(session) || provider.certificate === '') return provider;
  const { describeCertificate, readCertificates } = await import('../../../saml/certificates.ts');
  const now = session.runtime.clock();
  const certificates = readCertificates(provider.certificate).map((one) => describeCertificate(one, now));
  return { ...provider, certificate: certificates.join('; ') };
}

/** Lists the missing fields of a pending provider, with the options that set them. */
async function pendingNote({ id, ssoURL, entityID, certificate }: Provider, now: number): Promise<string> {
  const { findMissingSettings } = await import('../../../saml/certificates.ts');
  const flags = {
    ssoURL: 'sign-in address (--sso-url)',
    entityID: 'entity ID (--entity-id)',
    certificate: 'certificate (--certificate)',
    'certificate in force': 'valid certificate (--certificate)',
  };
  const missing = findMissingSettings(
    {
      ssoURL: ssoURL === 'about:blank' ? null : ssoURL,
      entityID: entityID || null,
      certificate: certificate || null,
    },
    now,
  );
  return `The provider is pending: it has no ${joinOr(missing.map((name) => flags[name]))}. To complete it, run \`docsctl saml update ${id} --metadata FILE\`, or use these options.`;
}
