import { truncate } from '../contract/values.ts';
import { Deferred } from '../core/handler.ts';
import { ratings } from '../resources/site-insights/declarations.ts';
import { html, json, plain } from './content-types.ts';
import { missing, showNotice } from './notices.ts';
import { wordsFor } from './open-frame.ts';
import { hrefOf } from './page-links.ts';
import type { EndpointAnswer } from './site-request.ts';
import { recordEvents, visitorEvent } from './visitor-event.ts';
import type { Visit } from './visit.ts';

/** Maximum size of a form, in bytes. */
const maxForm = 8192;
/** Maximum length of a stored comment, in characters. */
const maxComment = 512;

/**
 * Accepts the feedback of a reader: whether the page helped, and a comment. It is stored as an event of the site, without data
 * about the reader.
 */
export async function feedbackAnswer(visit: Visit): Promise<EndpointAnswer> {
  const { request, view } = visit;
  const { body } = request;
  const isForm =
    body !== undefined &&
    body.bytes.length <= maxForm &&
    /^application\/x-www-form-urlencoded\b/i.test(body.type);
  const form = new URLSearchParams(isForm ? Buffer.from(body.bytes).toString() : '');
  const rating = ratings.find((each) => each === form.get('rating'));
  if (rating === undefined)
    return { status: 400, headers: plain, body: 'The form needs a rating: good, ok or bad.\n' };
  const shown = view.map.spaces.find(({ row }) => row.id === form.get('siteSpace'));
  if (shown === undefined) return missing(visit, undefined);
  const open = await view.openSpace(shown);
  const page = open.pages.byId.get(form.get('page') ?? '');
  if (page?.type !== 'document' || !view.asksForFeedback(shown)) return missing(visit, open);
  const comment = truncate((form.get('comment') ?? '').trim(), maxComment);
  const events = [visitorEvent(visit, open, page, { type: 'page_post_feedback', feedback: { rating } })];
  if (comment !== '')
    events.push(
      visitorEvent(visit, open, page, {
        type: 'page_post_feedback_comment',
        feedback: { rating, comment },
      }),
    );
  const { words } = wordsFor(view, open);
  const thanks = await showNotice(view, open, () => ({
    title: words.feedbackThanks,
    links: [{ href: hrefOf(open, page), title: page.title }],
  }));
  const headers = { 'cache-control': 'private, no-store' };
  return new Deferred(async (services) => {
    await recordEvents(services, view.map.site.id, events);
    return /\bapplication\/json\b/.test(request.accept ?? '')
      ? { status: 200, headers: { ...json, ...headers }, body: '{"received":true}' }
      : { status: 200, headers: { ...html, ...headers }, body: thanks };
  });
}
