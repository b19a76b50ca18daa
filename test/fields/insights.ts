import { expect } from 'vitest';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import * as insights from '../../src/resources/site-insights/contract.ts';
import { createSite } from '../../src/resources/sites/contract.ts';
import { siteEvent } from '../resources/site-insights/support.ts';
import type { Bench, Try } from './bench.ts';

/** Creates a site with a schema of visitor claims, an event of a visitor with a plan, and events without one. */
const visitedSite = async ({ call, org }: Bench) => {
  const { id } = await call(createSite, org, { body: { title: 'Docs' } });
  const site = { ...org, siteId: id };
  const properties = { plan: { type: 'string', description: 'The plan', enum: ['pro'] } };
  const jsonSchema = { type: 'object', properties, additionalProperties: false };
  await call(updateAdaptiveSchema, site, { body: { jsonSchema } });
  const events = [
    siteEvent({ visitorAuthClaims: { plan: 'pro' } }),
    siteEvent({ visitorId: 'v2', sessionId: 's2' }),
    siteEvent({ visitorId: 'v2', sessionId: 's3' }),
  ];
  await call(insights.trackSiteEvents, site, { body: { events } });
  return site;
};

export const tries: readonly Try[] = [
  {
    of: 'sites.events.aggregate',
    fields: ['columns.column', 'columns.claim', 'columns.values'],
    run: async (bench) => {
      const site = await visitedSite(bench);
      const body = { range: 'last7Days', groupBy: [{ column: 'visitorClaim', claim: 'plan' }] };
      const { columns } = await bench.call(insights.aggregateSiteEvents, site, { body });
      expect(columns).toEqual([
        { column: 'visitorClaim', claim: 'plan', values: ['', 'pro'] },
        { column: 'eventsCount', values: [2, 1] },
        { column: 'visitorsCount', values: [1, 1] },
        { column: 'sessionsCount', values: [2, 1] },
      ]);
    },
  },
  {
    of: 'sites.events.segments',
    fields: ['title', 'claims', 'events', 'visitors', 'sessions'],
    run: async (bench) => {
      const { items } = await bench.call(insights.listVisitorSegments, await visitedSite(bench));
      expect(items).toEqual([
        { title: 'No claims', claims: {}, events: 2, visitors: 1, sessions: 2 },
        { title: 'plan: pro', claims: { plan: 'pro' }, events: 1, visitors: 1, sessions: 1 },
      ]);
    },
  },
];
