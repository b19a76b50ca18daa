import type { Claim } from './contract.ts';

export interface TemplateCondition {
  description: string;
  condition: string;
}

/** Conditions are kept up to this long, so longer ones are not suggested. */
const longest = 1024;

/** Conditions that a visitor schema suggests: two for each boolean claim, one for each value a text may have. */
export function suggestConditions(properties: Readonly<Record<string, Claim>>): TemplateCondition[] {
  return [...within(properties, 'visitor.claims', '')].filter(({ condition }) => condition.length <= longest);
}

function* within(
  properties: Readonly<Record<string, Claim>>,
  path: string,
  label: string,
): Generator<TemplateCondition> {
  for (const [name, claim] of Object.entries(properties)) {
    const at = /^[a-z_$][\w$]*$/i.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
    const called = label === '' ? name : `${label} ${name}`;
    if (claim.type === 'object') yield* within(claim.properties, at, called);
    else if (claim.type === 'boolean') {
      yield { description: `Visitors for whom ${called} is true`, condition: `${at} == true` };
      yield { description: `Visitors for whom ${called} is false`, condition: `${at} == false` };
    } else if (claim.type === 'string') {
      for (const value of claim.enum ?? [])
        yield {
          description: `Visitors whose ${called} is ${value}`,
          condition: `${at} == ${JSON.stringify(value)}`,
        };
    }
  }
}
