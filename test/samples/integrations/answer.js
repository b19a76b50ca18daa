// @ts-nocheck -- developers of integrations write it without types
// A script of an integration, written against the messages that docsctl sends. test/script-runtime/samples.ts makes
// both forms of scripts of it.

// oxlint-disable-next-line no-unused-vars -- what follows in the two forms calls it
async function answer(request) {
  if (new URL(request.url).pathname !== '/v1') return new Response('Unsupported version', { status: 400 });
  const form = await request.formData();
  const event = JSON.parse(form.get('event'));
  const environment = JSON.parse(form.get('environment'));
  console.log(`handles ${event.type}`);
  const handler = handlers[event.type];
  if (handler === undefined) return Response.json({ error: `No handler for ${event.type}` }, { status: 406 });
  try {
    return await handler(event, environment, form.get('fetch-body'));
  } catch (error) {
    console.error(error);
    return Response.json({ error: error.message }, { status: 500 });
  }
}

const handlers = {
  async fetch({ request, auth }, environment, body) {
    const { pathname, searchParams } = new URL(request.url);
    const received = new Request(request.url, { ...request, body });
    if (pathname.endsWith('/fails')) throw new Error('It fails on purpose.');
    if (pathname.endsWith('/elsewhere')) {
      const answered = await fetch(searchParams.get('to'));
      return new Response(await answered.text(), { status: answered.status });
    }
    if (pathname.endsWith('/api')) {
      const { apiEndpoint, apiTokens } = environment;
      const authorization = `Bearer ${apiTokens[searchParams.get('token')]}`;
      const method = searchParams.get('method') ?? 'GET';
      const answered = await fetch(`${apiEndpoint}/v1${searchParams.get('path')}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: searchParams.get('body') ?? '{}' }),
      });
      return new Response(await answered.text(), { status: answered.status });
    }
    if (pathname.endsWith('/page'))
      return new Response('<h1>Hello</h1>', {
        headers: {
          'content-type': 'text/html',
          'set-cookie': 'a=b',
          'x-accel-redirect': '/private/file',
          'x-own': 'yes',
        },
      });
    return Response.json({
      method: received.method,
      url: request.url,
      header: received.headers.get('x-sent'),
      names: Object.keys(request.headers).sort(),
      body: body === null ? null : await received.text(),
      auth: auth ?? null,
      space: environment.spaceInstallation?.space ?? null,
      site: environment.siteInstallation?.site ?? null,
      installation: environment.installation?.id ?? null,
      secret: environment.secrets.KEY ?? null,
    });
  },

  async ui_render({ componentId, props, state = {}, context, action }, { spaceInstallation }) {
    if (componentId === 'frame') {
      const url = new URL(spaceInstallation.urls.publicContentEndpoint);
      url.searchParams.set('document', props.document);
      return Response.json({ type: 'element', element: { type: 'webframe', source: { url: url.href } } });
    }
    if (componentId !== 'diagram')
      return Response.json({ error: `Component ${componentId} not found` }, { status: 404 });
    if (action?.action === '@finish') return Response.json({ type: 'complete', returnValue: { props } });
    const count = (state.count ?? 0) + (action?.action === '@count' ? 1 : 0);
    const text = `${props.content ?? 'empty'} in ${context.type}, ${count}`;
    const element = { type: 'block', children: [{ type: 'text', children: [text] }] };
    return Response.json({ type: 'element', element, state: { count }, props });
  },

  async fetch_published_script({ siteId }) {
    return new Response(`console.log(${JSON.stringify(siteId)})`, {
      headers: { 'content-type': 'application/javascript' },
    });
  },

  async fetch_visitor_authentication({ siteId, location }, { signingSecrets }) {
    if (location === '/signed') {
      const encoded = (value) =>
        btoa(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
      const bytes = (text) => new TextEncoder().encode(text);
      const claims = { plan: 'pro', exp: Math.floor(Date.parse('2030-01-01T00:00:00Z') / 1000) };
      const text = [{ alg: 'HS256', typ: 'JWT' }, claims].map((one) => encoded(JSON.stringify(one))).join('.');
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      const secret = bytes(signingSecrets.siteInstallation);
      const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
      const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text)));
      const token = `${text}.${encoded(String.fromCharCode(...signature))}`;
      return Response.redirect(`https://docs.example.com/?jwt_token=${token}`);
    }
    const to = `https://login.example.com/?site=${siteId}&location=${encodeURIComponent(location ?? '')}`;
    return Response.redirect(to);
  },

  async content_compute_revision({ sourceId, props, dependencies }) {
    if (props.fails === true) throw new Error('The source fails on purpose.');
    if (props.answer !== undefined) return Response.json(props.answer);
    const computed = (doc) => ({ type: `integration:bot:${sourceId}`, props: { doc } });
    const pages = [
      { type: 'document', id: '1', title: 'Open ticket', computed: computed('open'), description: 'To do' },
      { type: 'document', title: 'Notes', document: { markdown: '# Notes' } },
    ];
    const states = Object.values(dependencies).map(({ value }) => value?.revision ?? value?.lastVersion ?? 'none');
    return Response.json({
      pages: [
        { type: 'group', title: `Tickets of ${props.project}`, slug: 'tickets', pages },
        { type: 'document', title: 'Start', document: { markdown: `State: ${states.join(', ')}` } },
        { type: 'link', title: 'All', target: { kind: 'url', url: 'https://tickets.example/' } },
      ],
      files: [],
    });
  },

  async content_compute_document({ sourceId, props }) {
    const leaves = [{ object: 'leaf', text: `${props.doc} of ${sourceId}`, marks: [] }];
    const nodes = [{ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [{ object: 'text', leaves }] }];
    return Response.json({ document: { object: 'document', data: {}, nodes } });
  },

  async task({ task }) {
    console.info('task', task);
    if (task.fails === true) throw new Error('The task fails on purpose.');
    return new Response('OK');
  },

  async installation_setup({ status, previous }, { installation }) {
    console.info(`installed ${installation.id} ${status}, before: ${previous?.status ?? 'nothing'}`);
    return new Response('OK');
  },

  async space_content_updated({ updatedBy }) {
    console.info(`by ${updatedBy.map(({ displayName }) => displayName).join(', ')}`);
    return new Response('OK');
  },
};
