import { hasNoDrift, type Drift, type Drifted } from '../../manifest/find-drift.ts';
import type { Styler } from '../output/style.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { changeText } from './plan-text.ts';
import { shownChanges, some, type ShownChange } from './shown-step.ts';

/** Drift for a person to read. */
export function driftText(drift: Drift, ink: Styler): string {
  const blocks = shownDrift(drift).map((one) => {
    const color = one.status === 'gone' ? 'red' : 'yellow';
    return `${ink(one.status === 'gone' ? '-' : '~', ['bold', color])} ${ink(driftHead(one, drift), [color])}\n${fieldsOf(
      one,
    )
      .map((change) => changeText(change, ink))
      .join('')}`;
  });
  return `${blocks.length === 0 ? '' : `${blocks.join('')}\n`}${driftSummary(drift)}\n${remarksOn(drift)
    .map((remark) => `${remark}\n`)
    .join('')}`;
}

/** What lies in something that is gone is told with it. */
export function shownDrift({ resources }: Drift): Drifted[] {
  return resources.filter(({ because }) => because === undefined);
}

export function driftHead(one: Drifted, { resources }: Drift): string {
  const { address, name, id, status } = one;
  const title =
    name === address || address.endsWith(`/${name}`) || address.endsWith(`.${name}`)
      ? ''
      : ` ${JSON.stringify(name)}`;
  const inside = status === 'gone' ? insideOf(address, resources) : 0;
  return escapeControls(
    `${address}${title} (${id})${status === 'gone' ? ` is gone${inside === 0 ? '' : `, with ${inside} in it`}` : ''}`,
  );
}

/** What the last apply left, and what is there now. */
export function fieldsOf({ changes }: Drifted): ShownChange[] {
  return shownChanges({ changes: changes.map((change) => ({ ...change, moved: 'live' as const })) });
}

/** What it comes to, in one line. */
export function driftSummary(drift: Drift): string {
  const { changed, gone, same } = drift.counts;
  if (hasNoDrift(drift))
    return same === 0
      ? 'No drift: there is nothing to compare.'
      : `No drift: ${same === 1 ? '1 resource is as the last apply left it' : `${same} resources are as the last apply left them`}.`;
  const words = [...(changed === 0 ? [] : [`${changed} changed`]), ...(gone === 0 ? [] : [`${gone} gone`])];
  return `Drift: ${words.join(', ')}${same === 0 ? '' : `; ${same} as the last apply left ${same === 1 ? 'it' : 'them'}`}.`;
}

/** What was not compared, and why: a line for each reason. */
export function remarksOn({ unseen, unreadable }: Drift): string[] {
  const dueTo = (why: Drift['unseen'][number]['why']) => unseen.filter((one) => one.why === why);
  const named = (fields: Drift['unseen']): string =>
    escapeControls(some(fields.map(({ address, field }) => `${field} of ${address}`)));
  const [secrets, contents, unknown] = [
    unseen.filter(({ why }) => why === 'secret' || why === 'hidden'),
    dueTo('content'),
    dueTo('unknown'),
  ];
  return [
    ...(secrets.length === 0 ? [] : [`Cannot be seen: ${named(secrets)}.`]),
    ...(contents.length === 0
      ? []
      : [
          `The content of ${contents.length === 1 ? 'a space' : `${contents.length} spaces`} is not compared; docsctl plan does that.`,
        ]),
    ...(unknown.length === 0 ? [] : [`Not known to this docsctl: ${named(unknown)}.`]),
    ...unreadable.map(
      ({ what, count, message }) =>
        `Cannot be read here: ${what === 'member' ? 'what names members' : escapeControls(what)} (${count}). ${escapeControls(message)}`,
    ),
  ];
}

function insideOf(address: string, resources: readonly Drifted[]): number {
  const lost = new Set([address]);
  for (const { address: inner, because } of resources)
    if (because !== undefined && lost.has(because)) lost.add(inner);
  return lost.size - 1;
}
