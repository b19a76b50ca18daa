import { addTime } from '../../core/clock.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import { Problem } from '../../errors/problem.ts';
import { isProof, proofRecord, trustsHostnames } from '../custom-hostnames/proof.ts';
import { emailDomains, type EmailDomainRow } from './rows.ts';
import { isProven, keepCheck } from './rules.ts';

/** Milliseconds until the next check of a domain without a proof. */
const pause = 3_600_000;

/** Checks whether an organization has proven an email domain. Users of a proven domain may join. */
export const engine: Engine = {
  async run(context) {
    const { job, read, now } = context;
    const row = await read((view) => view.get(emailDomains, job.subject));
    if (row === undefined) return undefined;
    const checked = await check(context, row);
    return {
      write: (tx) => keepCheck(tx, now(), row, checked),
      ...(isProven(checked) ? {} : { repeatAt: addTime(now(), pause) }),
    };
  },
};

async function check(
  { read, env, lookUpText, now }: JobContext,
  row: EmailDomainRow,
): Promise<EmailDomainRow> {
  const { domain, organization } = row;
  const checked = { ...row, checkedAt: now(), error: undefined };
  // A proof stays valid even if the record is removed. The domain is lost only to another organization that proves it.
  if (row.proof === 'found') return checked;
  try {
    if (await read((view) => trustsHostnames(view, env))) return { ...checked, proof: 'trusted' };
    if (lookUpText === undefined) return { ...checked, error: 'This process cannot look up DNS records.' };
    const isFound = isProof(await lookUpText(proofRecord(domain, '').name), domain, organization);
    if (isFound) return { ...checked, proof: 'found' };
    // A domain that was in effect before stays in effect.
    return isProven(row) ? checked : { ...checked, proof: 'missing' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...checked, error: error.message };
  }
}
