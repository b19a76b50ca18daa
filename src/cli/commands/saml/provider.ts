import type { Command } from 'commander';
import type { Operation } from '../../../contract/operation.ts';
import type { Static } from '../../../contract/schema.ts';
import { Problem } from '../../../errors/problem.ts';
import type { SAMLProvider } from '../../../resources/saml/contract.ts';
import { addFields, readFields } from '../../fields.ts';
import { createNames } from '../../names.ts';
import { fieldPaths } from '../../../contract/paths.ts';
import type { Session } from '../../session.ts';

type Options = Readonly<Record<string, unknown>>;

/** The flags of a SAML provider: its fields, and the metadata that three of them can be read from. */
export function addProviderOptions(command: Command, operation: Operation): void {
  addFields(command, operation);
  command.option(
    '--metadata <file|url>',
    "the identity provider's metadata, which has its entity id, sign-in address and certificates; - for standard input",
  );
}

/** The body to send: what the metadata says, then what the flags say. What somebody should know goes to stderr. */
export async function readProviderBody(
  session: Session,
  operation: Operation,
  options: Options,
  params: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const given = (await readFields(session, operation, options, {})).body as Record<string, unknown>;
  const now = session.runtime.clock();
  const [{ readIdpMetadata }, { readCertificates, warnOfCertificates }] = await Promise.all([
    import('../../../saml/metadata.ts'),
    import('../../../saml/certificates.ts'),
  ]);
  const from = options['metadata'];
  let body = given;
  if (typeof from === 'string') {
    const entityID = typeof given['entityID'] === 'string' ? given['entityID'] : undefined;
    const text = await readSource(session, from);
    const { notes, ...found } = namePlace(from === '-' ? 'Standard input' : from, () =>
      readIdpMetadata(text, { entityID, now }),
    );
    notes.forEach(session.note);
    body = { ...found, ...given };
  } else if (typeof given['certificate'] === 'string' && given['certificate'].trim() !== '')
    warnOfCertificates(readCertificates(given['certificate']), now).forEach(session.note);
  return (await createNames(session).resolveBody(operation, body, params)) as Record<string, unknown>;
}

/** Says in which file something is wrong. */
function namePlace<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Problem
      ? new Problem(error.reason, `${place}: ${error.message}`, {
          hint: error.hint ?? 'Download it again from the identity provider.',
        })
      : error;
  }
}

async function readSource(session: Session, from: string): Promise<string> {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(from)) {
    const { readText } = await import('../../files.ts');
    return readText(session, from, 4 * 2 ** 20);
  }
  const { createOutgoing, readAllowed } = await import('../../../client/outgoing.ts');
  const send = createOutgoing({ allow: readAllowed(session.runtime.env['DOCSCTL_ALLOW_PRIVATE']) });
  const { status, bytes } = await send({ url: from, maxBytes: 4 * 2 ** 20, signal: session.runtime.signal });
  if (status !== 200)
    throw new Problem('unreachable', `The address of the metadata answers ${status}.`, {
      hint: 'Check it, or save the metadata in a file and give that.',
    });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('invalid-input', 'The metadata is not UTF-8 text.');
  }
}

/** Prints a provider that was made or changed, and what the identity provider is to be told. */
export async function printProvider(
  session: Session,
  operation: Operation,
  provider: Static<typeof SAMLProvider>,
): Promise<void> {
  const printer = await session.printer({
    columns: operation.cli.columns ?? [],
    noun: 'saml',
    fields: fieldPaths(operation.returns.schema ?? {}),
  });
  await printer.one(await describeProvider(session, provider));
  await printer.end();
  if (session.format !== 'table') return;
  const { acsURL, entityID, startURL } = provider.service;
  session.note(`Tell the identity provider: entity id (and metadata) ${entityID}, ACS URL ${acsURL}.`);
  if (session.settings.server === undefined)
    session.note('Under `docsctl serve --public-url URL` these addresses begin with that URL.');
  session.note(
    provider.status === 'active'
      ? `People sign in at ${startURL}.`
      : await pendingNote(provider, session.runtime.clock()),
  );
}

/** A provider as it is printed: in a table, its certificates in a few words, as a person compares them. */
export async function describeProvider(
  { format, flags, runtime }: Session,
  provider: Static<typeof SAMLProvider>,
): Promise<object> {
  if (format !== 'table' || flags.query !== undefined || provider.certificate === '') return provider;
  const { describeCertificate, readCertificates } = await import('../../../saml/certificates.ts');
  return {
    ...provider,
    certificate: readCertificates(provider.certificate)
      .map((one) => describeCertificate(one, runtime.clock()))
      .join('; '),
  };
}

/** What is still missing of a provider, with the flags that give it. */
async function pendingNote(
  { id, ssoURL, entityID, certificate }: Static<typeof SAMLProvider>,
  now: number,
): Promise<string> {
  const { findMissingSettings } = await import('../../../saml/certificates.ts');
  const flags = {
    ssoURL: 'sign-in address (--sso-url)',
    entityID: 'entity id (--entity-id)',
    certificate: 'certificate (--certificate)',
    'certificate in force': 'certificate in force (--certificate)',
  };
  const missing = findMissingSettings(
    {
      ssoURL: ssoURL === 'about:blank' ? null : ssoURL,
      entityID: entityID || null,
      certificate: certificate || null,
    },
    now,
  );
  return `It is pending, with no ${missing.map((name) => flags[name]).join(' and no ')}: docsctl saml update ${id} gives it, or all of it by --metadata FILE.`;
}
