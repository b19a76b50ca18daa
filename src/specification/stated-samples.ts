import { isRecord, truncate } from '../contract/values.ts';
import { toText } from './specification-tree.ts';

/** A request of an operation in one language. */
export interface CodeSample {
  readonly label: string;
  /** The name of the language for coloring. */
  readonly syntax: string;
  readonly code: string;
}

/** The most samples of one operation, and the most characters of a sample and of its label. */
const limits = { samples: 20, code: 20_000, label: 60 } as const;

/**
 * Reads the samples that a specification states for an operation itself (`x-codeSamples`, or `x-code-samples`): a list of
 * `lang`, `source` and perhaps `label`. An empty list, if the operation or the whole specification has `x-codeSamples: false`.
 * Undefined if it says nothing, so that samples are written from what it says of the request.
 */
export function readSamples(
  root: Readonly<Record<string, unknown>>,
  operation: Readonly<Record<string, unknown>>,
): CodeSample[] | undefined {
  const stated = statedIn(operation);
  const samples = (Array.isArray(stated) ? stated : [])
    .filter(isRecord)
    .map(readSample)
    .filter((sample) => sample !== undefined)
    .slice(0, limits.samples);
  const isHidden = stated === false || statedIn(root) === false;
  return samples.length > 0 || isHidden ? samples : undefined;
}

function statedIn(fields: Readonly<Record<string, unknown>>): unknown {
  return fields['x-codeSamples'] ?? fields['x-code-samples'];
}

function readSample({ lang, label, source }: Record<string, unknown>): CodeSample | undefined {
  const code = truncate(toText(source).replaceAll(/\r\n?/g, '\n').trimEnd(), limits.code);
  const language = toText(lang).trim();
  if (code.trim() === '') return undefined;
  const name = truncate(toText(label).replaceAll(/\s+/g, ' ').trim() || language || 'Code', limits.label);
  return { label: name, syntax: syntaxOf(language), code };
}

/** The name of a language in lower case; none if it could end or change a block of code in Markdown. */
function syntaxOf(language: string): string {
  const name = language.toLowerCase();
  if (/^node(?:\.?js)?$/.test(name)) return 'javascript';
  return /^[a-z0-9+#._-]{1,30}$/.test(name) ? name : '';
}
