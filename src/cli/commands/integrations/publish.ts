import type { Command } from 'commander';
import type { InputOf, Operation } from '../../../contract/operation.ts';
import { closed } from '../../../contract/schema.ts';
import { Problem } from '../../../errors/problem.ts';
import { publishIntegration } from '../../../resources/integrations/contract.ts';
import { printRequests } from '../../dry-run.ts';
import { addFields, readFields } from '../../fields.ts';
import { namedFile, readImageFile, readIntegrationManifest, readScript, variable } from './manifest.ts';
import { createNames, resolveOrganization } from '../../names.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly file?: string;
  readonly script?: string;
  readonly icon?: string;
  readonly previewImage?: string[];
  readonly secret?: string[];
}
type Body = NonNullable<InputOf<typeof publishIntegration>['body']>;

/** What is no file and no secret: those have flags of their own. */
const {
  icon: _icon,
  previewImages: _images,
  secrets: _secrets,
  script: _script,
  ...plain
} = publishIntegration.body.properties;
const fields: Operation = { ...publishIntegration, body: closed(plain) };

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[integration]', 'name of the integration (default: that of its manifest)')
    .option(
      '-f, --file <path>',
      'gitbook-manifest.yaml, or the folder that holds it; flags override what it says',
    )
    .option('--script <file>', 'its program, as built JavaScript')
    .option('--icon <file>', 'PNG, JPEG, GIF or WebP of at most 1 MiB')
    .option('--preview-image <file>', 'an image that shows it at work (repeatable)', collect)
    .option(
      '--secret <name>',
      'a secret, taken from the environment variable of this name (repeatable)',
      collect,
    );
  addFields(command, fields);
  command
    .addHelpText(
      'after',
      `
Publishes an integration, or a new version of it; takes an administrator of the organization that publishes it. Secrets
are kept encrypted and never shown again; where none are given, those of the version before stay. In a manifest a secret
is written \${{ env.NAME }}.

Examples:
  docsctl integrations publish -f my-integration --script my-integration/dist/script.js
  docsctl integrations publish my-bot --title "My bot" --description "Tells of changes" --scopes space:content:read --script dist/bot.js --secret SLACK_TOKEN
  docsctl integrations publish my-bot --body integration.yaml --script dist/bot.js
`,
    )
    .action((name: string | undefined, options: Options) =>
      run((session) => publish(session, name, options)),
    );
}

async function publish(session: Session, given: string | undefined, options: Options): Promise<void> {
  const script = options.script?.replace(/^@/, '');
  const manifest =
    options.file === undefined ? undefined : await readIntegrationManifest(session, options.file, script);
  const integrationName = given ?? manifest?.name;
  if (integrationName === undefined)
    throw new Problem('usage', 'Which integration?', {
      hint: 'docsctl integrations publish NAME, or -f with a manifest that has a name.',
    });
  const flags = (await readFields(session, fields, options, {})).body as Record<string, unknown>;
  const body: Record<string, unknown> = {
    ...manifest?.body,
    ...flags,
    ...(script === undefined ? {} : { script: readScript(namedFile(session, script)) }),
    ...(options.icon === undefined ? {} : { icon: readImageFile(namedFile(session, options.icon)) }),
    ...(options.previewImage === undefined
      ? {}
      : { previewImages: options.previewImage.map((path) => readImageFile(namedFile(session, path))) }),
    ...(options.secret === undefined
      ? {}
      : {
          secrets: Object.fromEntries(
            options.secret.map((name) => [name, variable(session.runtime.env, name)]),
          ),
        }),
  };
  if (session.flags.org !== undefined || body['organization'] === undefined)
    body['organization'] = await resolveOrganization(session);
  else if (flags['organization'] !== undefined)
    Object.assign(
      body,
      await createNames(session).resolveBody(publishIntegration, { organization: flags['organization'] }, {}),
    );
  const params = { integrationName };
  if (session.flags.dryRun === true)
    return printRequests(session, publishIntegration, [params], {}, masked(body));
  const api = await session.api();
  const made = await api.call(
    publishIntegration,
    { params, body: body as Body },
    { signal: session.runtime.signal },
  );
  const printer = await session.printer({
    columns: publishIntegration.cli.columns ?? [],
    noun: 'integrations',
  });
  await printer.one(made);
  await printer.end();
}

function masked(body: Record<string, unknown>): Record<string, unknown> {
  const { secrets } = body;
  if (typeof secrets !== 'object' || secrets === null) return body;
  return { ...body, secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, '***'])) };
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
