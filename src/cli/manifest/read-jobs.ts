import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { didYouMean } from '../../contract/nearest.ts';
import { closed, oneOf, Type, type Static } from '../../contract/schema.ts';
import { inputFormats, type InputFormat } from '../../ingest/source-record.ts';
import {
  buildMapping,
  messageRoles,
  mappingTargets,
  type Mapping,
  type MappingTarget,
} from '../../ingest/mapping.ts';
import { redactKinds, type RedactKind } from '../../redaction/kinds.ts';
import { duplicatePolicies, type DuplicatePolicy } from '../../ingest/send.ts';
import { confine } from '../../files/confine.ts';
import { formatLocation, type Faults, type SourceLocation } from '../../manifest/read/faults.ts';
import type { Folders } from '../../manifest/read/file-texts.ts';
import { expandGlob, isGlob, splitGlob } from '../../files/glob.ts';
import { isFolder } from '../../files/is-folder.ts';
import { toJson } from '../../manifest/read/json.ts';
import { limits } from '../../manifest/read/limits.ts';
import { childOf, type MapNode, type ManifestNode } from '../../manifest/read/node.ts';

const text = Type.String({ minLength: 1 });

const Paths = Type.Record(Type.String(), text, {
  maxProperties: 100,
  description: 'attributes of the conversation by name, each with the path of its value in a record',
});

const mappingTexts: Readonly<Record<MappingTarget, string>> = {
  id: 'path of the ID in a record, such as .ticket',
  subject: 'path of the subject',
  createdAt: 'path of the time of the first message',
  url: 'path of the address of the conversation in the other system',
  source: 'path of the name of the other system',
  parts: 'path of the list of messages',
  body: 'path of the text: in each message if `parts` is set, otherwise in the record',
  role: "path of the author's role: in each message if `parts` is set, otherwise in the record",
};

const ConversationsJob = closed({
  files: Type.Union([text, Type.Array(text, { minItems: 1, maxItems: 100 })], {
    description: 'file or files to read; * and ** are patterns',
  }),
  format: Type.Optional(
    oneOf(inputFormats, {
      description: 'format of the files (default: from the extension of the file name)',
    }),
  ),
  source: Type.Optional({ ...text, description: 'name of the system that the conversations come from' }),
  map: Type.Optional(
    closed(
      {
        ...Object.fromEntries(
          mappingTargets.map((target) => [
            target,
            Type.Optional({ ...text, description: mappingTexts[target] }),
          ]),
        ),
        attributes: Type.Optional(Paths),
      },
      { description: 'where the fields of a conversation are in a record' },
    ),
  ),
  groupBy: Type.Optional({
    ...text,
    description:
      'path of the ID of the conversation, if each record is one message (default: each record is a conversation)',
  }),
  roles: Type.Optional(
    Type.Record(Type.String(), oneOf(messageRoles), {
      maxProperties: 100,
      description:
        'what each word in the field `role` of the files means: user, assistant or team-member. For example, { agent: team-member }. * stands for all other words',
    }),
  ),
  redact: Type.Optional(
    Type.Array(oneOf(redactKinds), { description: 'private data to replace before anything is sent' }),
  ),
  onDuplicate: Type.Optional(
    oneOf(duplicatePolicies, {
      description:
        'what happens to conversations that already exist with different content (default: replace)',
    }),
  ),
  idFrom: Type.Optional(
    oneOf(['content'], {
      description: 'content: records without an ID get one that is made from their content',
    }),
  ),
  rejects: Type.Optional({
    ...text,
    description: 'file for the records that are not accepted, with the reasons',
  }),
});

const Imports = {
  conversations: Type.Optional(
    Type.Array(ConversationsJob, {
      maxItems: 100,
      description: 'imports of conversations, each with its files and how to read them',
    }),
  ),
};

/** The top-level fields of a manifest that are not kinds of resources: `imports`, and its former name. */
export const jobFields = {
  imports: closed(Imports, {
    description: 'Conversations to import from files; each apply sends what is new in the files',
  }),
  jobs: closed(Imports, { description: 'The former name of "imports"', deprecated: true }),
};

/** The files of a job: a single file, or the files below a folder that match a pattern. */
export type FilePattern = { readonly path: string } | { readonly folder: string; readonly pattern: string };

/** A job of a manifest that adds new data in files to the conversations of the organization. */
export interface IngestJob {
  /** `imports.conversations[0]` */
  readonly name: string;
  /** Its location in the manifest. */
  readonly at: string;
  readonly files: readonly FilePattern[];
  readonly format: InputFormat | undefined;
  readonly mapping: Mapping | undefined;
  readonly redact: readonly RedactKind[];
  readonly onDuplicate: DuplicatePolicy;
  readonly idFromContent: boolean;
  /** The real, absolute path for rejected records. */
  readonly rejects: string | undefined;
  /** A hash of everything that decides how a record is sent. If it changes, files are read again from their start. */
  readonly how: string;
}

/** Receives a warning with its location in a manifest and the code of its rule. */
export type WarnAt = (at: SourceLocation, rule: 'deprecated-field' | 'empty-import', message: string) => void;

interface ReadOptions {
  readonly foldersOf: (at: SourceLocation) => Folders;
  readonly faults: Faults;
  /** Reports possible mistakes, such as a pattern that matches nothing yet. */
  readonly warn: WarnAt;
}

/** Reads the jobs in the checked fields `imports` and `jobs`, and adds faults to `faults`. */
export function readJobs(fields: ReadonlyMap<string, ManifestNode>, options: ReadOptions): IngestJob[] {
  return Object.keys(jobFields).flatMap((field) => {
    const block = fields.get(field);
    if (field === 'jobs' && block !== undefined)
      options.warn(block.at, 'deprecated-field', 'the field "jobs" is deprecated. Rename it to "imports"');
    const list = childOf(block, 'conversations');
    if (list?.kind !== 'list') return [];
    return list.items.flatMap((item, index) =>
      item.kind === 'map' ? [readJob(item, `${field}.conversations[${index}]`, options)] : [],
    );
  });
}

function readJob(block: MapNode, name: string, options: ReadOptions): IngestJob {
  const stated = toJson(block) as Static<typeof ConversationsJob>;
  const { format, source, groupBy, redact = [], onDuplicate = 'replace', idFrom, rejects } = stated;
  const { attributes = {}, ...fields } = (stated.map ?? {}) as Record<string, string> & {
    attributes?: Static<typeof Paths>;
  };
  const paths = [
    ...Object.entries(fields),
    ...Object.entries(attributes).map(([attribute, path]) => [`attributes.${attribute}`, path] as const),
  ];
  const roleNames = Object.entries(stated.roles ?? {});
  const fault = (message: string, _: unknown, about: string): void => {
    const [, attribute] = /^attributes\.(.+)$/s.exec(about) ?? [];
    const path = attribute === undefined ? [about] : ['attributes', attribute];
    options.faults.add(locationIn(block, ['map', ...path]), message.replace(/\.$/, ''));
  };
  const mapping = buildMapping(paths, roleNames, source, fault, groupBy);
  if (groupBy !== undefined && idFrom !== undefined)
    options.faults.add(locationIn(block, ['idFrom']), '"groupBy" and "idFrom" cannot be used together');
  const files = childOf(block, 'files');
  const isMapped = paths.length > 0 || roleNames.length > 0 || source !== undefined || groupBy !== undefined;
  return {
    name,
    at: formatLocation(block.at),
    files: (files?.kind === 'list' ? files.items : [files]).flatMap((file) => readFiles(file, options) ?? []),
    format,
    mapping: isMapped ? mapping : undefined,
    redact,
    onDuplicate,
    idFromContent: idFrom === 'content',
    rejects:
      rejects === undefined ? undefined : resolvePath(rejects, locationIn(block, ['rejects']), options),
    how: createHash('sha256')
      .update(
        JSON.stringify([
          format,
          paths,
          roleNames,
          source,
          redact,
          onDuplicate,
          idFrom,
          ...(groupBy ? [groupBy] : []),
        ]),
      )
      .digest('hex')
      .slice(0, 16),
  };
}

/** Returns the location of a value inside a block, or of the longest existing part of its path. */
function locationIn(block: MapNode, path: readonly string[]): SourceLocation {
  let node: ManifestNode = block;
  for (const name of path) {
    const inner = childOf(node, name);
    if (inner === undefined) break;
    node = inner;
  }
  return node.at;
}

function readFiles(node: ManifestNode | undefined, options: ReadOptions): FilePattern | undefined {
  if (node?.kind !== 'scalar' && node?.kind !== 'file') return undefined;
  const path = String(toJson(node));
  if (!isGlob(path)) {
    const target = resolvePath(path, node.at, options);
    return target === undefined ? undefined : { path: target };
  }
  const { folder, pattern } = splitGlob(path);
  const target = resolvePath(folder, node.at, options);
  if (target === undefined) return undefined;
  if (pattern.split('/').includes('..'))
    options.faults.add(
      node.at,
      `${JSON.stringify(path)} uses ".." after a pattern; write the folder names instead`,
    );
  else if (resolvePath(path, node.at, options) === undefined) return undefined;
  checkPattern(target, pattern, path, node.at, options);
  return { folder: target, pattern };
}

function resolvePath(
  path: string,
  at: SourceLocation,
  { foldersOf, faults }: ReadOptions,
): string | undefined {
  const { root, folder } = foldersOf(at);
  const target = confine(root, folder, path);
  if ('path' in target) return target.path;
  faults.add(at, target.refused);
  return undefined;
}

/** Checks a pattern. A missing folder is a mistake, but files may be added later. */
function checkPattern(
  folder: string,
  pattern: string,
  path: string,
  at: SourceLocation,
  { faults, warn }: ReadOptions,
): void {
  const shown = JSON.stringify(path.slice(0, 200));
  if (!isFolder(folder))
    faults.add(
      at,
      `${shown} matches no file, because the folder does not exist${didYouMean(basename(folder), foldersIn(dirname(folder)))}`,
    );
  else if (expandGlob(folder, pattern, limits.walked)?.length === 0)
    warn(at, 'empty-import', `${shown} matches no file`);
}

function foldersIn(folder: string): string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .slice(0, 5000)
    .map(({ name }) => name);
}
