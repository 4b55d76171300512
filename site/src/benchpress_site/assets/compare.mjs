// Any two entrants: the published paired figures, and their accuracies bundle by bundle. The page comes with the first
// two of the leaderboard written out; this writes the same for any others.
import { readState, writeState } from "./state.mjs";

const share = (value) => (value === null ? "–" : `${(value * 100).toFixed(1)}%`);
const points = (value) =>
  value === null ? "–" : `${value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1"}${Math.abs(value * 100).toFixed(1)}`;

const limits = (low, high) => `${points(low)} to ${points(high)}`;
const chance = (value) => (value === null ? "not published" : value < 0.001 ? "<0.001" : value.toFixed(3));

export function start(root) {
  const form = root.querySelector("[data-bp-compare]");
  const result = root.querySelector("[data-bp-result]");
  const names = JSON.parse(form.dataset.names);
  // A reader who goes on changes the address before this page is gone.
  const here = location.href;
  let gone = false;
  let turn = 0;
  const known = new Map();

  function load(address) {
    if (!known.has(address)) {
      known.set(
        address,
        fetch(new URL(address, here)).then((answer) => {
          if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
          return answer.json();
        }),
      );
    }
    return known.get(address);
  }

  function side(name) {
    const option = form.elements[name].selectedOptions[0];
    return { value: option.value, label: option.label, slug: option.dataset.slug, place: Number(option.dataset.place) };
  }

  async function show() {
    const mine = ++turn;
    const [a, b] = [side("a"), side("b")];
    if (a.value === b.value) {
      result.replaceChildren(note("Choose two different entrants."));
      return;
    }
    try {
      const pairs = await load(form.dataset.pairs);
      const pages = await Promise.all(
        [a, b].map((one) => load(`${form.dataset.models}${one.slug}.json`).catch(() => null)),
      );
      if (gone || mine !== turn) return;
      result.replaceChildren(...paired(find(pairs.pairs, a.place, b.place), a, b), ...bundles(pages, a, b, names));
    } catch (problem) {
      if (!gone) result.replaceChildren(note(`The figures could not be loaded (${problem.message}).`));
    }
  }

  function load_state() {
    const saved = readState();
    for (const name of ["a", "b"]) {
      const wanted = saved.get(name);
      if (wanted && [...form.elements[name].options].some((option) => option.value === wanted)) {
        form.elements[name].value = wanted;
      }
    }
  }

  function changed() {
    writeState(new URLSearchParams({ a: form.elements.a.value, b: form.elements.b.value }));
    show();
  }

  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.querySelector("[data-bp-swap]").addEventListener("click", () => {
    const { a, b } = form.elements;
    [a.value, b.value] = [b.value, a.value];
    changed();
  });
  load_state();
  // What the page came with stays as it is.
  if (form.elements.a.selectedIndex !== 0 || form.elements.b.selectedIndex !== 1) show();
  return () => {
    gone = true;
  };
}

function find(pairs, a, b) {
  const same = pairs.find((pair) => pair.a === a && pair.b === b);
  if (same) return same;
  const other = pairs.find((pair) => pair.a === b && pair.b === a);
  if (!other) return null;
  const negative = (value) => (value === null ? null : -value);
  const { value, low, high } = other.difference;
  return {
    ...other,
    difference: { value: negative(value), low: negative(high), high: negative(low) },
    probability: other.probability === null ? null : 1 - other.probability,
  };
}

function note(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

function cell(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  if (name === "th") made.scope = "row";
  return made;
}

function table(caption, heads, rows) {
  const region = document.createElement("div");
  region.className = "bp-scroll";
  region.tabIndex = 0;
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", `${caption}, scrollable`);
  const made = document.createElement("table");
  made.className = "bp-table";
  made.createCaption().textContent = caption;
  made.caption.className = "bp-sr";
  const head = made.createTHead().insertRow();
  heads.forEach((text, index) => {
    const one = cell("th", text, index ? "num" : "");
    one.scope = "col";
    head.append(one);
  });
  const body = made.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((text, index) => line.append(cell(index ? "td" : "th", text, index ? "num" : "")));
  }
  region.append(made);
  return region;
}

function paired(pair, a, b) {
  if (!pair) return [note("No paired figures are published for these two.")];
  const { value, low, high } = pair.difference;
  const verdict = pair.separable
    ? `${value > 0 ? a.label : b.label} is better, beyond what chance explains.`
    : `The data do not tell which of ${a.label} and ${b.label} is better.`;
  const figures = [
    ["Difference, first less second", `${points(value)} points`],
    ["95% interval", low === null || high === null ? "not published" : limits(low, high)],
    ["Probability that the first beats the second", pair.probability === null ? "not published" : share(pair.probability)],
    ["p, exact McNemar", chance(pair.p_value)],
    ["p after Holm's correction over the board", chance(pair.p_holm)],
    ["Items that both were asked", String(pair.n)],
  ];
  const strong = document.createElement("p");
  strong.append(cell("strong", verdict));
  return [strong, table(`${a.label} and ${b.label}`, ["Figure", "Value"], figures)];
}

function bundles(pages, a, b, names) {
  const [first, second] = pages;
  if (!first?.bundles.length || !second?.bundles.length) return [];
  const other = new Map(second.bundles.map((one) => [one.name, one]));
  const rows = first.bundles
    .filter((one) => other.has(one.name))
    .map((one) => {
      const [mine, theirs] = [one.accuracy, other.get(one.name).accuracy];
      const known = mine !== null && theirs !== null;
      const n = other.get(one.name).n === one.n ? one.n : 0;
      return [
        names[one.name] ?? one.name.replaceAll("_", " "),
        String(one.n),
        share(mine),
        share(theirs),
        points(known ? mine - theirs : null),
        known && n ? limits(...widest(Math.round(mine * n), Math.round(theirs * n), n)) : "–",
      ];
    });
  const title = document.createElement("h2");
  title.textContent = "By bundle";
  return [
    title,
    note(
      "Which items of a bundle each had right is not published, so the interval is the widest paired one that the two " +
        "shares allow: the truth is at least as certain. A bundle has few items, and a single row moves a lot by chance.",
    ),
    table("By bundle", ["Bundle", "Items", a.label, b.label, "Difference (points)", "95% interval"], rows),
  ];
}

// The score interval of a paired difference (Tango 1998) for the most items that only one of the two had right.
function widest(first, second, n) {
  const b = Math.min(first, n - second);
  const c = b - first + second;
  const score = (difference) => {
    const apart = b - c - n * difference;
    if (apart === 0) return 0;
    const linear = (2 * n - b + c) * difference - b - c;
    const constant = c * difference * (1 - difference);
    const q = (Math.sqrt(Math.max(linear * linear + 8 * n * constant, 0)) - linear) / (4 * n);
    const variance = n * (2 * q + difference * (1 - difference));
    return variance > 0 ? Math.abs(apart) / Math.sqrt(variance) : Infinity;
  };
  const limit = (side) => {
    let [inner, outer] = [(first - second) / n, side];
    for (let step = 0; step < 50; step += 1) {
      const middle = (inner + outer) / 2;
      if (score(middle) <= 1.959963984540054) inner = middle;
      else outer = middle;
    }
    return inner;
  };
  return [limit(-1), limit(1)];
}
