// The leaderboard: sort, search, filter and choose columns, with the whole state in the address.
import { readState, writeState } from "./state.mjs";

// The theme takes `q` for its own search, so the board says `find`.
const FIELDS = ["find", "from", "to"];
const SELECTS = ["tier", "open", "org", "method"];

export function start(root) {
  const form = root.querySelector("[data-bp-filters]");
  // Partial runs have a table of their own, which sorts and filters along but is never mixed in.
  const tables = [...root.querySelectorAll("[data-bp-board]")];
  const boards = tables.map((one) => ({
    table: one,
    body: one.tBodies[0],
    rows: [...one.tBodies[0].rows],
    heads: [...one.tHead.rows[0].cells],
  }));
  const state = { sort: "", dir: "", cols: null };

  function load() {
    const saved = readState();
    state.sort = saved.get("sort") ?? "";
    state.dir = saved.get("dir") === "asc" ? "asc" : "desc";
    state.cols = saved.has("cols") ? new Set(saved.get("cols").split(".").filter(Boolean)) : null;
    if (!form) return;
    for (const name of [...FIELDS, ...SELECTS]) {
      const field = form.elements[name];
      if (!field) continue;
      field.value = saved.get(name) ?? "";
      // A value that this version does not have filters nothing away.
      if (field.tagName === "SELECT" && field.selectedIndex < 0) field.value = "";
    }
    for (const box of columnBoxes()) box.checked = state.cols ? state.cols.has(box.value) : box.dataset.default === "on";
  }

  function columnBoxes() {
    return form ? [...form.querySelectorAll("input[name=col]")] : [];
  }

  function save() {
    const found = new URLSearchParams();
    if (form) {
      for (const name of [...FIELDS, ...SELECTS]) {
        const value = form.elements[name]?.value;
        if (value) found.set(name, value);
      }
      const boxes = columnBoxes();
      if (boxes.some((box) => box.checked !== (box.dataset.default === "on"))) {
        found.set("cols", boxes.filter((box) => box.checked).map((box) => box.value).join("."));
      }
    }
    if (state.sort) {
      found.set("sort", state.sort);
      found.set("dir", state.dir);
    }
    writeState(found);
  }

  function matches(row) {
    if (!form) return true;
    const fields = form.elements;
    const wanted = fields.find.value.trim().toLowerCase();
    if (wanted) {
      const name = row.querySelector("th").textContent.toLowerCase();
      if (!name.includes(wanted) && !row.dataset.org.toLowerCase().includes(wanted)) return false;
    }
    for (const key of SELECTS) {
      if (fields[key]?.value && row.dataset[key] !== fields[key].value) return false;
    }
    const launched = row.dataset.launched;
    if (fields.from.value && !(launched && launched >= fields.from.value)) return false;
    if (fields.to.value && !(launched && launched <= fields.to.value)) return false;
    return true;
  }

  function filter() {
    let shown = 0;
    let total = 0;
    for (const board of boards) {
      for (const row of board.rows) {
        row.hidden = !matches(row);
        total += 1;
        shown += row.hidden ? 0 : 1;
      }
    }
    const status = form?.querySelector(".bp-count");
    if (status) status.textContent = shown === total ? `${total} entrants` : `${shown} of ${total} entrants shown`;
  }

  function columns() {
    const off = new Set(columnBoxes().filter((box) => !box.checked).map((box) => box.value));
    for (const board of boards) {
      for (const cell of board.table.querySelectorAll("[data-col]")) cell.hidden = off.has(cell.dataset.col);
      board.table.classList.add("bp-ready");
    }
  }

  function sort() {
    for (const board of boards) {
      const place = board.heads.findIndex((head) => head.dataset.col === state.sort);
      board.heads.forEach((head, index) => {
        if (index === place) head.setAttribute("aria-sort", state.dir === "asc" ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      const rows = place < 0 ? board.rows : sorted(board.rows, place, board.heads[place].dataset.kind, state.dir);
      board.body.append(...rows);
    }
  }

  function turn(head) {
    const first = head.dataset.kind === "text" || head.dataset.col === "rank" ? "asc" : "desc";
    if (state.sort !== head.dataset.col) {
      state.sort = head.dataset.col;
      state.dir = first;
    } else if (state.dir === first) {
      state.dir = first === "asc" ? "desc" : "asc";
    } else {
      state.sort = "";
    }
    sort();
    save();
  }

  for (const board of boards) {
    for (const head of board.heads) head.querySelector(".bp-sort").addEventListener("click", () => turn(head));
  }
  form?.addEventListener("input", () => {
    filter();
    columns();
    save();
  });
  form?.addEventListener("submit", (event) => event.preventDefault());
  form?.addEventListener("reset", () => {
    // The fields are cleared after this event.
    setTimeout(() => {
      for (const box of columnBoxes()) box.checked = box.dataset.default === "on";
      state.sort = "";
      refresh();
      save();
    });
  });
  function away(event) {
    const open = form?.querySelector(".bp-columns[open]");
    if (open && (event.key === "Escape" || (event.type === "click" && !open.contains(event.target)))) {
      if (event.key === "Escape") open.querySelector("summary").focus();
      open.open = false;
    }
  }
  function refresh() {
    filter();
    columns();
    sort();
  }
  load();
  refresh();
  document.addEventListener("click", away);
  document.addEventListener("keydown", away);
  return () => {
    document.removeEventListener("click", away);
    document.removeEventListener("keydown", away);
  };
}

// Missing values stay last in both directions; ties keep the published order.
function sorted(rows, place, kind, direction) {
  const factor = direction === "asc" ? 1 : -1;
  const value = (row) => {
    const raw = row.cells[place].dataset.v;
    if (raw === undefined) return null;
    return kind === "num" ? Number(raw) : raw.toLowerCase();
  };
  return rows
    .map((row, index) => ({ row, index, value: value(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null) || a.index - b.index;
      if (a.value === b.value) return a.index - b.index;
      return (a.value < b.value ? -1 : 1) * factor;
    })
    .map((entry) => entry.row);
}
