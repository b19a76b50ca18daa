import { gfm } from 'micromark-extension-gfm';
import type { Construct, ConstructRecord, Extension } from 'micromark-util-types';

/** GitHub's additions to Markdown; without those that look at every word or line, where the text has nothing for them. */
export function gfmSyntax(text: string): Extension {
  const idle = new Set<string | undefined>();
  if (!text.includes('@')) idle.add('emailAutolink');
  if (!/www\./i.test(text)) idle.add('wwwAutolink');
  if (!/https?:\/\//i.test(text)) idle.add('protocolAutolink');
  // A piece of HTML that is parsed by itself ends where the next tag begins.
  if (!text.split(/[\r\n<]/).some(isDelimiterRow)) idle.add('table');
  const { text: inText, flow, ...more } = gfm();
  return { ...more, text: without(inText!, idle), flow: without(flow!, idle) };
}

function without(constructs: ConstructRecord, idle: ReadonlySet<string | undefined>): ConstructRecord {
  const used = Object.entries(constructs).map(([code, given]): [string, Construct[]] => [
    code,
    [given ?? []].flat().filter(({ name }) => !idle.has(name)),
  ]);
  return Object.fromEntries(used.filter(([, list]) => list.length > 0));
}

/** Whether a line can divide the header of a table from its rows; anything may stand in front, such as the mark of a quote. */
export function isDelimiterRow(line: string): boolean {
  let dashes = false;
  let dividers = false;
  for (let at = line.length - 1; at >= 0; at--) {
    const character = line[at];
    if (character === '-') dashes = true;
    else if (character === '|' || character === ':') dividers = true;
    else if (character !== ' ' && character !== '\t') break;
  }
  return dashes && dividers;
}
