import fc from 'fast-check';
import type { IngestedConversation } from '../../src/resources/conversations/rules.ts';

/** Conversations about a few topics that contain private data. */
export interface Planted {
  readonly conversations: readonly IngestedConversation[];
  /** Words and numbers that no answer may contain. */
  readonly secrets: readonly string[];
}

const subjects = ['card', 'invoice', 'export', 'webhook'];

interface Person {
  readonly first: string;
  readonly last: string;
  readonly street: string;
  readonly number: number;
  readonly password: string;
}

type Message = readonly ['user' | 'team-member', string];

/** Each frame has private data in one message, and repeats it in the message about the topic. */
const frames: readonly ((person: Person, topic: string, agent: string) => readonly Message[])[] = [
  ({ first, last }, topic) => [
    ['user', `Hi, my name is ${first} ${last} and my ${topic} is missing from my list`],
  ],
  ({ first }, topic, agent) => [
    ['user', `Hello ${agent}, my ${topic} is missing from my list`],
    ['team-member', `Hi ${first}, I will look at it.\n\nBest regards,\n${agent}`],
    ['user', `${agent} said that ${first} has no ${topic}. Why is my ${topic} missing from my list?`],
  ],
  ({ first, last }, topic) => [
    ['user', `Warum fehlt meine ${topic} von ${first} in der Liste?`],
    ['user', `Mit freundlichen Grüßen\n${first} ${last}`],
  ],
  ({ street, number }, topic) => [
    ['user', `Send the ${topic} to ${number} ${street} Street, why is my ${topic} missing from my list?`],
  ],
  ({ street, number }, topic) => [
    ['user', `Die ${topic} fehlt, meine Adresse ist ${street}straße ${number}, 10115 Berlin`],
  ],
  ({ password }, topic) => [
    ['user', `My password is ${password} but the ${topic} is missing from my list`],
    ['user', `Why does ${password} not show my ${topic}?`],
  ],
  ({ first, last }, topic) => [
    ['user', `My ${topic} is missing from my list, can you help?`],
    ['team-member', 'Of course. What is your full name, please?'],
    ['user', `${first.toLowerCase()} ${last.toLowerCase()}`],
    ['user', `I can see ${first.toLowerCase()} but why is the ${topic} missing from the list?`],
  ],
  ({ first, last }, topic) => [
    ['user', `${last} has no ${topic}: why is the ${topic} missing from the list?`],
    ['user', `Write to ${first}.${last}@acme.test`.toLowerCase()],
  ],
];

const word = fc
  .tuple(
    fc.constantFrom(...'BDFGKLMNPRSTVZ'),
    fc.constantFrom(...'aeiou'),
    fc.stringMatching(/^[bdgkmnprvz][aeiou][kmrxz][kpvwz]$/),
  )
  .map((parts) => parts.join(''));
const person: fc.Arbitrary<Person> = fc.record({
  first: word,
  last: word,
  street: word,
  number: fc.integer({ min: 11_111, max: 19_999 }),
  password: word.map((text) => `${text.toLowerCase()}77`),
});

/** Generates conversations with names, addresses and passwords. One agent answers many of them. */
export const planted: fc.Arbitrary<Planted> = fc
  .record({
    agent: word,
    people: fc.array(fc.tuple(person, fc.constantFrom(...subjects), fc.constantFrom(...frames)), {
      minLength: 8,
      maxLength: 24,
    }),
  })
  .map(({ agent, people }) => ({
    conversations: people.map(([one, topic, write], at) => ({
      id: `c-${at}`,
      parts: write(one, topic, agent).map(([role, body]) => ({ type: 'message' as const, role, body })),
    })),
    secrets: [
      agent,
      ...people.flatMap(([{ first, last, street, number, password }]) => [
        first,
        last,
        street,
        String(number),
        password,
      ]),
    ],
  }));

/** Returns the secrets that a text contains, ignoring case. */
export function secretsIn(text: string, { secrets }: Planted): string[] {
  const lower = text.toLowerCase();
  return secrets.filter((secret) => lower.includes(secret.toLowerCase()));
}
