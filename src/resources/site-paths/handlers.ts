import type { Context, Handler } from '../../core/handler.ts';
import { readableView } from '../../core/limited-view.ts';
import type { PublisherRequest } from '../../core/publisher.ts';
import { defined, isRecord } from '../../contract/values.ts';
import { checkDepth } from '../../contract/limits.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { maxPaths } from './contract.ts';
import { parseUrl } from '../../contract/parse-url.ts';

export const listSitePaths: Handler<typeof contract.listSitePaths> = async (context, { query }) => {
  const { version, base, paths, leftOut } = await context.publisher.list(requestOf(context, query));
  return {
    object: 'site-paths',
    version,
    base,
    paths: paths.map(({ isHidden, isSearched, ...path }) =>
      defined({
        ...path,
        hidden: isHidden === true ? true : undefined,
        noIndex: isSearched === false ? true : undefined,
      }),
    ),
    ...(leftOut.length === 0 ? {} : { leftOut: leftOut.map((source) => ({ ...source })) }),
  };
};

export const readSitePaths: Handler<typeof contract.readSitePaths> = async (context, { query }) => {
  const paths = parsePaths(query.paths);
  const { version, answers } = await context.publisher.read(requestOf(context, query), paths);
  return {
    object: 'site-path-answers',
    version,
    answers: answers.map(({ body, ...answer }) => ({
      ...defined(answer),
      ...(typeof body === 'string' ? { text: body } : { base64: Buffer.from(body).toString('base64') }),
    })),
  };
};

const howToWriteClaims = 'Write a JSON object, such as \'{"plan": "pro"}\'.';

/**
 * Creates the request of a visitor.
 *
 * @throws Problem(guard-refused) for a site that checks its readers, Problem(invalid-input) if required claims are missing
 */
function requestOf(
  context: Context<typeof contract.listSitePaths>,
  { claims, address }: { claims?: string; address?: string },
): PublisherRequest {
  const { site, organization, url } = context;
  if (site.visibility === 'share-link' || site.visibility === 'visitor-auth')
    throw new Problem(
      'guard-refused',
      `The site "${site.title}" is only for visitors ${site.visibility === 'share-link' ? 'with a share link' : 'who sign in'}. Only sites that everyone may read can be listed, checked and copied.`,
      {
        hint: `If everyone may read the site: \`docsctl sites update ${site.id} --visibility unlisted\``,
      },
    );
  if (site.adaptiveContent && claims === undefined)
    throw invalid(
      '/query/claims',
      `What the site "${site.title}" shows depends on the visitor, and no claims are given.`,
      "Add --claims with the claims of a visitor; `--claims '{}'` stands for a visitor without claims.",
    );
  if (address !== undefined && parseUrl(address) === undefined)
    throw invalid(
      '/query/address',
      `"${address}" is not a URL.`,
      'Use a URL such as https://docs.example.com/.',
    );
  const given = claims === undefined ? {} : parse('/query/claims', claims, howToWriteClaims);
  if (!isRecord(given)) throw invalid('/query/claims', 'The claims must be an object.', howToWriteClaims);
  const tx = readableView(context.tx, site, context);
  return { tx, site, organization, url, claims: given, address };
}

const howToWritePaths = 'Write a JSON array, such as \'["index.md"]\'.';

function parsePaths(text: string): readonly string[] {
  const paths = parse('/query/paths', text, howToWritePaths);
  if (!Array.isArray(paths) || !paths.every((path): path is string => typeof path === 'string'))
    throw invalid('/query/paths', 'The paths must be an array of strings.', howToWritePaths);
  if (paths.length > maxPaths)
    throw invalid('/query/paths', `The request names ${paths.length} paths; the limit is ${maxPaths}.`);
  return paths;
}

/** Parses JSON. @throws Problem(invalid-input) */
function parse(place: string, text: string, hint: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(place, `The value is not valid JSON: ${(error as Error).message}.`, hint);
  }
}
