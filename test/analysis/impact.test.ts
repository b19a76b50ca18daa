import { describe, expect, it } from 'vitest';
import { highestImpact, clusterImpact, rateImpact } from '../../src/analysis/impact.ts';

describe('the impact of an issue', () => {
  it.each([
    'All my pages were deleted after the update',
    'We are locked out of our account',
    'The whole site is down',
    'It keeps failing, please help',
    'My card was stolen',
    'This is urgent, we launch tomorrow',
    'Search worked fine until yesterday',
  ])('is high: %s', (text) => expect(rateImpact(text).impact).toBe('high'));

  it.each([
    'The export fails with an error',
    'I did not get a refund',
    "The invite link doesn't work",
    'My payment was declined',
    'I am still waiting for an answer',
  ])('is medium: %s', (text) => expect(rateImpact(text).impact).toBe('medium'));

  it.each(['How do I change the logo?', 'I want to invite a colleague', 'Which plans are there?'])(
    'is low: %s',
    (text) => expect(rateImpact(text)).toEqual({ impact: 'low', reasons: ['a question or a wish'] }),
  );

  it('is one level lower if there is a workaround, which is given as a reason', () => {
    expect(rateImpact('We were locked out, but I managed to get in by phone')).toEqual({
      impact: 'medium',
      reasons: ['shut out', 'there is a workaround'],
    });
    expect(rateImpact('The export fails, it works in Firefox').impact).toBe('low');
  });

  it('of a cluster is the level that a quarter of its issues have', () => {
    expect(clusterImpact({ low: 0, medium: 0, high: 0 })).toBe('low');
    expect(clusterImpact({ low: 3, medium: 0, high: 1 })).toBe('high');
    expect(clusterImpact({ low: 4, medium: 0, high: 1 })).toBe('low');
    expect(clusterImpact({ low: 6, medium: 1, high: 1 })).toBe('medium');
    expect(clusterImpact({ low: 7, medium: 1, high: 0 })).toBe('low');
  });

  it('of a conversation is the highest of its issues', () => {
    expect(highestImpact(['low', 'high', 'medium'])).toBe('high');
    expect(highestImpact([])).toBe('low');
  });
});
