// Runs before the page is drawn, so that it does not flash in the wrong theme.
const root = document.documentElement;
root.classList.add('js');
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark' || theme === 'auto') root.dataset['theme'] = theme;
} catch {
  // If the browser has no storage, the theme of the site is used.
}
