// @ts-nocheck -- developers of integrations write it without types
// A script of an integration with a block that readers act in, and a script for pages of sites.

// oxlint-disable-next-line no-unused-vars -- what follows in the two forms calls it
async function answer(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get('event'));
  if (event.type === 'fetch_published_script')
    return new Response(`window.counted = ${JSON.stringify(event.siteId)};`, {
      headers: { 'content-type': 'text/html', 'set-cookie': 'a=b' },
    });
  if (event.type !== 'ui_render') return Response.json({ error: 'Unknown event' }, { status: 406 });
  const { componentId, props, state = {}, action, auth } = event;
  if (componentId === 'panel') return Response.json(panel(props, state, action, auth));
  if (componentId === 'question') return Response.json(question(props, state, action));
  if (componentId === 'frame') {
    const data = { content: { $state: 'name' } };
    const frame = { type: 'webframe', source: { url: props.url }, aspectRatio: 2, data };
    const open = { action: '@ui.modal.open', componentId: 'framed', props };
    const buttons = [
      { type: 'button', label: 'Again', onPress: { action: 'again' } },
      { type: 'button', label: 'Larger', onPress: open },
    ];
    return Response.json({ type: 'element', element: { type: 'block', children: [frame, ...buttons] }, state: { name: 'Ada' } });
  }
  if (componentId === 'framed') {
    const frame = { type: 'webframe', source: { url: props.url }, data: { content: { $state: 'name' } } };
    return Response.json({ type: 'element', element: { type: 'modal', children: [frame] }, state: { name: 'Eve' } });
  }
  return Response.json({ error: `Component ${componentId} not found` }, { status: 404 });
}

function panel({ content }, { count = 0, name = '' }, action, auth) {
  const pressed = count + (action?.action === 'count' ? action.step : 0);
  const ask = { action: '@ui.modal.open', componentId: 'question', props: { of: pressed } };
  const said = action?.action === '@ui.modal.close' ? `, ${action.returnValue}` : '';
  return {
    type: 'element',
    state: { count: pressed },
    element: {
      type: 'block',
      children: [
        { type: 'text', children: [`${content}: ${pressed}${name}${said} <b>${auth === undefined ? 'visitor' : 'member'}</b>`] },
        { type: 'textinput', state: 'name' },
        { type: 'markdown', content: '**Strong** and [a link](https://example.com/x).' },
        { type: 'button', label: 'Count', onPress: { action: 'count', step: 2 } },
        { type: 'button', label: 'Ask', onPress: { action: '@ui.modal.open', componentId: 'question', props: { of: content } } },
        { type: 'button', label: 'Leave', onPress: { action: '@ui.url.open', url: 'https://example.com/leave' } },
        pressed > 0 && { type: 'button', label: 'Why', onPress: ask },
      ],
    },
  };
}

function question({ of }, { reply = '' }, action) {
  if (action?.action === 'answer') return { type: 'complete', returnValue: reply };
  const submit = { type: 'button', label: 'Send', onPress: { action: 'answer' } };
  const children = [{ type: 'input', label: `About ${of}`, element: { type: 'textinput', state: 'reply' } }];
  return { type: 'element', element: { type: 'modal', title: 'Question', children, submit } };
}
