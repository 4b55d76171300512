// A worker that runs the project's own scorer: the same Python files as `benchpress grade`, in Pyodide.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const PROGRAM = `
import json, sys
sys.path.insert(0, "/scorer")
from benchpress.grading import grade_item
from benchpress.items import Item, Response

def grade(item, text):
    read = Item.from_json(json.loads(item))
    return json.dumps(grade_item(read, Response(read.id, text)).to_json())

grade
`;

const ready = (async () => {
  const here = new URL("./", import.meta.url);
  const python = await loadPyodide({ indexURL: new URL("pyodide/", here).href });
  const answer = await fetch(new URL("scorer.zip", here));
  if (!answer.ok) throw new Error(`scorer.zip: ${answer.status}`);
  python.unpackArchive(await answer.arrayBuffer(), "zip", { extractDir: "/scorer" });
  return python.runPython(PROGRAM);
})();

self.onmessage = async ({ data }) => {
  try {
    const grade = await ready;
    self.postMessage({ id: data.id, result: JSON.parse(grade(JSON.stringify(data.item), data.text)) });
  } catch (problem) {
    self.postMessage({ id: data.id, problem: String(problem.message ?? problem).trim().split("\n").pop() });
  }
};
