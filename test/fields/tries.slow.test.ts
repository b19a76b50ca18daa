import { describe, expect, it } from 'vitest';
import { tries as accessTries } from './access.ts';
import { fieldsOf, publishedOperations } from './answer-fields.ts';
import { withBench, type Try } from './bench.ts';
import { tries as contentTries } from './content.ts';
import { tries as deliveryTries } from './deliveries.ts';
import { tries as differenceTries } from './differences.ts';
import { tries as eventTries } from './events.ts';
import { tries as insightTries } from './insights.ts';
import { tries as gitSyncTries } from './git-sync.ts';
import { tries as integrationTries } from './integrations.ts';
import { tries as joiningTries } from './joining.ts';
import { tries as linkTries } from './links.ts';
import { tries as moveTries } from './moves.ts';
import { tries as lookTries } from './looks.ts';
import { tries as generatedTries } from './generated.ts';
import { tries as pageTries } from './pages.ts';
import { tries as revisionTries } from './revisions.ts';
import { tries as rightTries } from './rights.ts';
import { tries as searchTries } from './searching.ts';
import { tries as peopleTries } from './people.ts';
import { tries as questionTries } from './questions.ts';
import { tries as publishingTries } from './publishing.ts';
import { covers, leavesOf, readTable } from './read-table.ts';
import { tries as redirectTries } from './redirects.ts';
import { tries as replyTries } from './replies.ts';
import { tries as reviewTries } from './reviews.ts';
import { tries as siteTries } from './sites.ts';
import { tries as termTries } from './terms.ts';
import { tries as textTries } from './texts.ts';
import { tries as specificationTries } from './specifications.ts';
import { tries as structureTries } from './structure.ts';
import { tries as translationTries } from './translating.ts';
import { tries as visitorTries } from './visitors.ts';

const tries: readonly Try[] = [
  ...peopleTries,
  ...contentTries,
  ...textTries,
  ...siteTries,
  ...lookTries,
  ...moveTries,
  ...redirectTries,
  ...accessTries,
  ...eventTries,
  ...integrationTries,
  ...deliveryTries,
  ...insightTries,
  ...termTries,
  ...differenceTries,
  ...joiningTries,
  ...linkTries,
  ...questionTries,
  ...replyTries,
  ...reviewTries,
  ...specificationTries,
  ...publishingTries,
  ...structureTries,
  ...translationTries,
  ...generatedTries,
  ...pageTries,
  ...revisionTries,
  ...rightTries,
  ...searchTries,
  ...visitorTries,
  ...gitSyncTries,
];

describe('setting fields has an effect:', () => {
  it.each(tries.map((each) => [`${each.of}: ${each.fields.join(', ')}`, each] as const))(
    '%s',
    (_, { run, outside }) => withBench(run, outside?.()),
  );
});

it('every changeable field has a try, and no try names an unknown field', async () => {
  const fields = fieldsOf(await publishedOperations());
  const unknown = tries.flatMap(({ of, fields: names }) =>
    names.filter((name) => !fields.get(of)?.has(name)).map((name) => `${of}: ${name}`),
  );
  expect(unknown).toEqual([]);
  const tried = new Set(tries.flatMap(({ of, fields: names }) => names.map((name) => `${of}: ${name}`)));
  const fixed = readTable('nothing');
  const untried = [...fields.keys()].flatMap((owner) =>
    leavesOf(fields, owner)
      .filter((field) => !(fixed.get(owner) ?? []).some((row) => covers(row, field)))
      .map((field) => `${owner}: ${field}`)
      .filter((name) => !tried.has(name)),
  );
  expect(untried).toEqual([]);
});
