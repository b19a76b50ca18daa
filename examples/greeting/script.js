// Draws the block `{% @greeting/greet name="Ana" %}`: a text, and a button that counts.
export default {
  /** @param {{ formData(): Promise<FormData> }} request */
  async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(String(form.get('event')));
    // 406: there is no handler for this event.
    if (event.type !== 'ui_render' || event.componentId !== 'greet')
      return new Response('', { status: 406 });

    const before = event.state?.count ?? 0;
    const count = event.action?.action === 'more' ? before + 1 : before;
    const children = [
      { type: 'markdown', content: `Hello **${event.props.name ?? 'you'}**, ${count} times.` },
      { type: 'button', label: 'Once more', onPress: { action: 'more' } },
    ];
    return Response.json({ type: 'element', element: { type: 'block', children }, state: { count } });
  },
};
