import { isRecord, truncate } from '../contract/values.ts';
import { toText } from './specification-tree.ts';

/** An example request of an operation in one language. */
export interface CodeSample {
  readonly label: string;
  /** The name of the language for coloring. */
  readonly syntax: string;
  readonly code: string;
}

/** Maximum number of samples of one operation, and maximum number of characters of a sample and of its label. */
const limits = { samples: 20, code: 20_000, label: 60 } as const;

/**
 * Returns the specification's own samples of an operation (`x-codeSamples`, or `x-code-samples`): a list of `lang`, `source` and
 * optionally `label`. Returns an empty list if the operation or the whole specification has `x-codeSamples: false`. Returns
 * undefined without this field, so that samples are generated.
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

/** Returns the name of a language in lower case; empty if it could end or change a code block in Markdown. */
function syntaxOf(language: string): string {
  const name = language.toLowerCase();
  if (/^node(?:\.?js)?$/.test(name)) return 'javascript';
  return /^[a-z0-9+#._-]{1,30}$/.test(name) ? name : '';
}
