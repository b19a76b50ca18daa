// @ts-nocheck -- developers of integrations write it without types
addEventListener('fetch', (event) => event.respondWith(answer(event.request)));

async function answer(request) {
  const event = JSON.parse((await request.formData()).get('event'));
  if (event.type !== 'ui_render') return new Response('OK');
  const element = { type: 'block', children: [{ type: 'text', children: [`Link to ${event.props.url}`] }] };
  return Response.json({ type: 'element', element, state: {}, props: event.props });
}
