export default { events: {} };
