// Starts what a page needs, on the first load and after every instant navigation.
const NEEDS = [
  ["[data-bp-board]", "./board.mjs"],
  ["[data-bp-chart]", "./charts.mjs"],
  ["[data-bp-compare]", "./compare.mjs"],
  ["[data-bp-answer]", "./explorer.mjs"],
  ["pre > code", "./code.mjs"],
];

let leave = [];
let visit = 0;

async function enter() {
  const mine = ++visit;
  for (const stop of leave) stop();
  leave = [];
  for (const [selector, path] of NEEDS) {
    if (!document.querySelector(selector)) continue;
    const room = await import(path);
    // A reader who has left in the meantime is served by the later call.
    if (mine !== visit) return;
    const stop = room.start(document);
    if (stop) leave.push(stop);
  }
}

if (window.document$) window.document$.subscribe(enter);
else enter();
