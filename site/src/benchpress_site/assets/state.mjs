// What a reader chose, kept in the address so that it can be sent to somebody else.
export function readState() {
  return new URLSearchParams(location.search);
}

export function writeState(found) {
  const query = found.toString();
  history.replaceState(history.state, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
}
