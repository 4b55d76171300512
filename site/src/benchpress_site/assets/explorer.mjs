// Grades an answer that a reader typed under an example, by the project's own scorer.
let worker;
let count = 0;
const waiting = new Map();

function grader() {
  if (!worker) {
    worker = new Worker(new URL("./grader.mjs", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      for (const done of waiting.values()) done({ problem: "the grader could not be started in this browser" });
      waiting.clear();
      worker = undefined;
    };
  }
  return worker;
}

function grade(item, text) {
  return new Promise((resolve) => {
    const id = ++count;
    waiting.set(id, resolve);
    grader().postMessage({ id, item, text });
  });
}

const WORDS = {
  ok: "Read.",
  invalid_answer: "No part of the answer could be read.",
  truncated: "The answer was cut off.",
  refusal: "Read as a refusal.",
  api_error: "There is no answer.",
};

export function start(root) {
  // A reader who goes on changes the address before this page is gone.
  const here = location.href;
  let items;
  let gone = false;
  async function all() {
    const answer = await fetch(new URL("items.json", here));
    if (!answer.ok) throw new Error(`items.json: ${answer.status}`);
    return answer.json();
  }

  async function submit(event) {
    const form = event.target.closest("[data-bp-answer]");
    if (!form) return;
    event.preventDefault();
    const verdict = form.querySelector(".bp-verdict");
    verdict.textContent = worker ? "Grading …" : "Loading the grader, once: about 6 MB …";
    try {
      items ??= all();
      const item = (await items)[form.dataset.bpAnswer];
      const answer = await grade(item, form.querySelector("textarea").value);
      if (gone) return;
      if (answer.problem) throw new Error(answer.problem);
      verdict.replaceChildren(...report(answer.result));
    } catch (problem) {
      items = undefined;
      verdict.textContent = `Not graded: ${problem.message}. \`benchpress grade\` does the same on your machine.`;
    }
  }

  root.addEventListener("submit", submit);
  // Pressed any earlier, a button would send the form away, and the answer with it.
  for (const button of root.querySelectorAll("[data-bp-answer] button")) button.disabled = false;
  return () => {
    gone = true;
    root.removeEventListener("submit", submit);
  };
}

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function report(result) {
  const head = element("p", "");
  head.append(
    element("span", result.correct ? "Correct" : "Not correct", result.correct ? "bp-right" : "bp-wrong"),
    `: every part must be right. ${WORDS[result.status] ?? ""}`,
  );
  const list = document.createElement("ul");
  for (const part of result.parts) {
    const line = document.createElement("li");
    const read = part.parsed === null ? "nothing could be read" : `read as ${JSON.stringify(part.parsed)}`;
    line.append(
      element("code", part.id),
      ": ",
      element("span", part.correct ? "right" : "wrong", part.correct ? "bp-right" : "bp-wrong"),
      `, ${read}${part.note ? ` (${part.note})` : ""}`,
    );
    list.append(line);
  }
  return [head, list];
}
