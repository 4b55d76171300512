// The theme wraps the copy button of every code block into a `nav`: landmarks without a name, as many as there are
// blocks. They are buttons and nothing more. The theme adds them when it likes, so they are awaited.
function calm() {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "presentation");
}

export function start(page) {
  calm();
  const awaited = new MutationObserver(calm);
  awaited.observe(page.body, { childList: true, subtree: true });
  return () => awaited.disconnect();
}
