// Draws chart specifications with one shared copy of plotly, when a chart comes into view.
const LOOKS = [
  ["#0b7a75", "#4fd1c5", "circle"],
  ["#c2500f", "#ff9d5c", "diamond"],
  ["#5b4bb7", "#a99cff", "square"],
  ["#a3223d", "#ff7d96", "triangle-up"],
  ["#1f6fb2", "#6bb8ff", "cross"],
  ["#7a6a00", "#e0cb3c", "star"],
  ["#3d7a2a", "#8edb72", "triangle-down"],
  ["#8a3d86", "#e58be0", "pentagon"],
  ["#555f66", "#b9c4cb", "x"],
  ["#0f5f8a", "#5cc4f0", "hexagon"],
  ["#8a4b12", "#e3a86c", "triangle-left"],
];

let library;

function plotly() {
  library ??= new Promise((resolve, reject) => {
    if (window.Plotly) return resolve(window.Plotly);
    const script = document.createElement("script");
    script.src = new URL("./plotly/plotly-basic.min.js", import.meta.url);
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      library = undefined;
      reject(new Error("the chart library could not be loaded"));
    };
    document.head.append(script);
  });
  return library;
}

const specs = new Map();

async function specification(address) {
  if (!specs.has(address)) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    specs.set(address, await answer.json());
  }
  return specs.get(address);
}

export function start(root) {
  const boxes = [...root.querySelectorAll("[data-bp-chart]")];
  // A reader who goes on changes the address before this page is gone.
  const here = location.href;
  let gone = false;
  const drawn = new Set();

  async function draw(box) {
    try {
      const [lib, spec] = await Promise.all([plotly(), specification(new URL(box.dataset.src, here).href)]);
      if (gone || !box.isConnected) return;
      const chart = spec[box.dataset.bpChart];
      const picker = root.querySelector(`[data-bp-axis="${box.dataset.bpChart}"]`);
      const view = chart.views.find((one) => one.key === picker?.value) ?? chart.views[0];
      const first = !drawn.has(box);
      await lib.react(box, traces(view), layout(view, box.clientWidth), {
        displayModeBar: false,
        displaylogo: false,
        showSendToCloud: false,
        responsive: true,
      });
      if (first) {
        drawn.add(box);
        box.on("plotly_click", (event) => {
          const target = event.points[0]?.customdata;
          if (target) location.assign(new URL(target, here));
        });
      }
      box.dataset.bpDrawn = view.key;
    } catch (problem) {
      box.textContent = `The chart could not be drawn (${problem.message}). The table has the same figures.`;
    }
  }

  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        draw(entry.target);
      }
    },
    { rootMargin: "200px" },
  );
  boxes.forEach((box) => seen.observe(box));
  const pick = (event) => {
    const id = event.target.dataset?.bpAxis;
    if (id) draw(root.querySelector(`[data-bp-chart="${id}"]`));
  };
  root.addEventListener("change", pick);
  // Colours follow the scheme, also when the reader switches it.
  const scheme = new MutationObserver(() => drawn.forEach((box) => draw(box)));
  scheme.observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });

  return () => {
    gone = true;
    seen.disconnect();
    scheme.disconnect();
    root.removeEventListener("change", pick);
    drawn.forEach((box) => window.Plotly?.purge(box));
  };
}

function dark() {
  return document.body.dataset.mdColorScheme === "slate";
}

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function traces(view) {
  return view.series.map((series) => {
    const frontier = series.look < 0;
    const [light, night, symbol] = LOOKS[(frontier ? 8 : series.look) % LOOKS.length];
    const colour = dark() ? night : light;
    const trace = {
      type: "scatter",
      name: escape(series.name),
      [view.flipped ? "y" : "x"]: series.x,
      [view.flipped ? "x" : "y"]: series.y,
      customdata: series.href,
      text: series.label.map((label) => escape(label).replace(/\n/g, "<br>")),
      hoverinfo: frontier ? "skip" : "text",
      mode: [series.lines && "lines", series.markers && "markers"].filter(Boolean).join("+"),
      line: { color: colour, width: frontier ? 1.5 : 1.6, dash: frontier ? "dot" : "solid", shape: series.steps ? "hv" : "linear" },
      marker: { color: colour, size: 10, symbol, line: { width: 1, color: dark() ? "#12181b" : "#fff" } },
    };
    if (series.low) {
      trace[view.flipped ? "error_x" : "error_y"] = {
        type: "data",
        symmetric: false,
        array: series.high.map((high, index) => (high === null ? 0 : high - series.y[index])),
        arrayminus: series.low.map((low, index) => (low === null ? 0 : series.y[index] - low)),
        color: colour,
        thickness: 1,
        width: 2,
      };
    }
    return trace;
  });
}

// A little above the highest whisker, and never above what a share can be.
function ceiling(view) {
  const highest = Math.max(...view.series.flatMap((series) => [...series.y, ...(series.high ?? [])]));
  return view.y.percent ? Math.min(1.03, Math.max(highest * 1.08, 0.05)) : highest * 1.08;
}

function layout(view, width) {
  const style = getComputedStyle(document.body);
  const ink = style.getPropertyValue("--md-default-fg-color");
  const line = style.getPropertyValue("--bp-line");
  const narrow = width < 560;
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, automargin: true };
  return {
    template: {},
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: style.getPropertyValue("--md-text-font"), size: 12, color: ink },
    margin: { l: narrow ? 44 : 60, r: 16, t: 16, b: 60 },
    hovermode: "closest",
    hoverlabel: { align: "left", bgcolor: dark() ? "#222c31" : "#fff", bordercolor: line, font: { color: ink } },
    showlegend: view.series.length > 1,
    legend: {
      orientation: "h",
      x: 0,
      y: 1.02,
      yanchor: "bottom",
      font: { size: narrow ? 10 : 11 },
    },
    [view.flipped ? "yaxis" : "xaxis"]: {
      ...axis,
      type: view.x.type,
      title: { text: escape(view.x.title), standoff: 10 },
      ...(view.x.categories.length ? { categoryorder: "array", categoryarray: view.x.categories } : {}),
      ...(view.flipped ? { autorange: "reversed" } : {}),
    },
    [view.flipped ? "xaxis" : "yaxis"]: {
      ...axis,
      type: "linear",
      title: { text: escape(view.y.title), standoff: 10 },
      tickformat: view.y.percent ? ".0%" : "",
      range: [0, ceiling(view)],
    },
  };
}
