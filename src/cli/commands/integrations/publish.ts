import type { InputOf, Operation } from '../../../contract/operation.ts';
import { closed } from '../../../contract/schema.ts';
import { defined, isRecord, plural } from '../../../contract/values.ts';
import { publishIntegration } from '../../../resources/integrations/contract.ts';
import { requireArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../input/field-options.ts';
import { collect } from '../../input/collect.ts';
import { readFields } from '../../input/fields.ts';
import { resolveFields, resolveOrganization } from '../../names/names.ts';
import { printRequests } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { findFile, readEnvironment, readImageFile, readIntegrationManifest, readScript } from './manifest.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly file?: string;
  readonly script?: string;
  readonly icon?: string;
  readonly previewImage?: string[];
  readonly secret?: string[];
}
type Body = NonNullable<InputOf<typeof publishIntegration>['body']>;

/** Files and secrets have their own options. No other option is required, because a manifest may have the field. */
const {
  icon: _icon,
  previewImages: _images,
  secrets: _secrets,
  script: _script,
  ...plain
} = publishIntegration.body.properties;
const fields: Operation = { ...publishIntegration, body: { ...closed(plain), required: [] } };

export const help: CommandHelp = {
  description: `
Only an administrator of the organization that publishes the integration can do this. The fields come from a gitbook-manifest.yaml, from options, or from both; options override the file. A title, a description, scopes and a script are required. Other fields that are left out are cleared, or set to their default.

Secrets are stored encrypted and never shown again. If you give no secrets, those of the previous version are kept. In the file, write a secret as \${{ env.NAME }} to read it from an environment variable.
`,
  examples: [
    'docsctl integrations publish -f gitbook-manifest.yaml --script script.js',
    'docsctl integrations publish my-bot --title "My bot" --description "Reports changes" --scopes space:content:read --script script.js',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[integration]', 'name of the integration (default: the name in gitbook-manifest.yaml)')
    .option(
      '-f, --file <path>',
      'gitbook-manifest.yaml, or the folder that contains it; options override its fields',
    )
    .option(
      '--script <file>',
      'program of the integration, bundled into one JavaScript file (required unless gitbook-manifest.yaml names this file)',
    )
    .option('--icon <file>', 'icon: a PNG, JPEG, GIF, WebP or SVG image of at most 1 MiB')
    .option('--preview-image <file>', 'image that shows the integration in use', collect)
    .option('--secret <name>', 'name of an environment variable that holds a secret', collect);
  addFields(command, fields);
  command.action(inSession(publish));
};

async function publish(session: Session, given: string | undefined, options: Options): Promise<void> {
  const { file, icon, previewImage, secret } = options;
  const script = options.script?.replace(/^@/, '');
  const manifest = file === undefined ? undefined : await readIntegrationManifest(session, file, script);
  const integrationName = requireArgument(
    given ?? manifest?.name,
    'The name of the integration is missing.',
    'Give it: `docsctl integrations publish NAME`, or use -f with a manifest that has a name.',
  );
  const flags = (await readFields(session, fields, options, {})).body as Record<string, unknown>;
  const readImage = (path: string) => readImageFile(findFile(session, path));
  const secrets = secret?.map((name) => [name, readEnvironment(session, name)] as const);
  const body: Record<string, unknown> = {
    ...manifest?.body,
    ...flags,
    ...defined({
      script: script === undefined ? undefined : readScript(findFile(session, script)),
      icon: icon === undefined ? undefined : readImage(icon),
      previewImages: previewImage?.map(readImage),
      secrets: secrets && Object.fromEntries(secrets),
    }),
  };
  if (typeof body['script'] === 'string') {
    const { checkSyntax } = await import('../../../script-runtime/check-syntax.ts');
    checkSyntax(
      body['script'],
      body['runtime'] === 'v2' ? 'v2' : 'v1',
      script ?? manifest?.script ?? 'script',
    );
  }
  const { organization } = body;
  if (session.flags.org !== undefined || organization === undefined)
    body['organization'] = await resolveOrganization(session);
  else Object.assign(body, await resolveFields(session, publishIntegration, { organization }, {}));
  const params = { integrationName };
  if (session.flags.dryRun === true)
    return printRequests(session, publishIntegration, [params], { body: maskSecrets(body) });
  const published = await session.call(publishIntegration, { params, body: body as Body });
  const { columns = [] } = publishIntegration.cli;
  await session.print(published, { columns, noun: 'integrations' });
  const { pendingInstallations: count = 0, scopes } = published;
  if (count > 0)
    session.note(
      `${plural(count, 'other organization')} must agree to the new scopes before the integration has them there. An administrator agrees with \`docsctl integrations installations update ID --org ORGANIZATION --integration ${integrationName} --scopes ${scopes.join(',')}\`.`,
    );
}

function maskSecrets(body: Record<string, unknown>): Record<string, unknown> {
  const { secrets } = body;
  if (!isRecord(secrets)) return body;
  return { ...body, secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, '***'])) };
}
