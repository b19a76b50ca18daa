/**
 * The script of pages in a preview. While the page is visible, it waits for a message that its answer has changed, and reloads
 * it. Hidden pages have no connection, because browsers allow only a few per host.
 */
export const liveScript = `(() => {
  const { key } = document.currentScript.dataset;
  const query = new URLSearchParams({ path: location.pathname + location.search, key });
  let source;
  const watch = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource('/~preview/events?' + query);
    source.addEventListener('change', () => {
      source.close();
      location.reload();
    });
  };
  document.addEventListener('visibilitychange', watch);
  addEventListener('pagehide', () => source?.close());
  watch();
})();
`;

/** The styles of the banner in a preview. */
export const liveStyles = `.preview-problems {
  position: fixed;
  inset-inline: 0;
  inset-block-end: 0;
  z-index: 100;
  max-height: 40vh;
  overflow: auto;
  padding: 0.6rem 1rem;
  border-block-start: 2px solid #b3261e;
  background: #fdefee;
  color: #7a120c;
  font: 0.9rem/1.5 ui-monospace, monospace;
  overflow-wrap: anywhere;
}
.preview-problems ul {
  margin: 0;
  padding: 0;
  list-style: none;
}
`;
