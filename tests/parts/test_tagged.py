# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Whole answers: where the labelled values stand in what a model writes. Expected values are what a person reads there."""

from typing import Any

import pytest
from benchpress.items import Part
from reading import YES_NO, result_of

SET = Part("ADJUSTMENT_SET", "node_set", [], {"universe": ["A", "B", "C", "D"]})
ESTIMATE = Part("ESTIMATE", "number", "0", {})
VERDICT = Part("IDENTIFIABLE", "verdict", "yes", YES_NO)
EDGES = Part("EDGES", "edges", [], {"universe": ["A", "B", "C", "D"]})
ALL = (SET, ESTIMATE, VERDICT)
THREE = {"ADJUSTMENT_SET": ["A", "B"], "ESTIMATE": "0.42", "IDENTIFIABLE": "yes"}
TWO = {"ESTIMATE": "0.42", "IDENTIFIABLE": "yes"}
BLOCK = "ADJUSTMENT_SET: {A, B}\nESTIMATE: 0.42\nIDENTIFIABLE: yes"
PAIR = "ESTIMATE: 0.42\nIDENTIFIABLE: yes"

BLOCKS = [
    BLOCK, f"\n\n{BLOCK}\n\n", f"Here is my answer.\n\n{BLOCK}", f"{BLOCK}\n\nLet me know if anything is unclear.", BLOCK.replace("\n", "\r\n"), BLOCK.replace("\n", "\r"), BLOCK.replace("\n", "\u2028"), BLOCK.replace("\n", "\n\n"), BLOCK.replace("\n", "  \n"), BLOCK.replace("\n", "\x0b"),
    BLOCK.replace(": ", ":"), BLOCK.replace(": ", " : "), BLOCK.replace(": ", ":\t"), BLOCK.replace(": ", " = "), BLOCK.replace(": ", " := "), BLOCK.replace(": ", " → "), BLOCK.replace(": ", " -> "), BLOCK.replace(": ", " => "), BLOCK.replace(": ", " - "), BLOCK.replace(": ", " — "), BLOCK.replace(": ", " – "), BLOCK.replace(": ", " | "), BLOCK.replace(":", "："), BLOCK.replace(": ", "\u00a0:\u00a0"), BLOCK.replace(": ", ":\u3000"),
    BLOCK.replace(": ", ":\n"), BLOCK.replace(": ", ":\n\n"), BLOCK.replace(": ", ":\n    "), BLOCK.replace(": ", ":\n- "), BLOCK.replace(": ", ":\n> "), BLOCK.replace(": ", ":\n\n**") .replace("\nE", "**\nE").replace("\nI", "**\nI"), BLOCK.lower(), BLOCK.title().replace("{A, B}", "{A, B}"), BLOCK.replace("_", " "), BLOCK.replace("_", "-"), BLOCK.replace("_", "\\_"), BLOCK.replace("_", ""), BLOCK.replace("_", "  "), "Adjustment set: {A, B}\nestimate: 0.42\nIdentifiable? yes".replace("?", ":"),
    "\n".join(f"- {line}" for line in BLOCK.split("\n")), "\n".join(f"* {line}" for line in BLOCK.split("\n")),
    "\n".join(f"+ {line}" for line in BLOCK.split("\n")), "\n".join(f"• {line}" for line in BLOCK.split("\n")),
    "\n".join(f"    {line}" for line in BLOCK.split("\n")), "\n".join(f"> {line}" for line in BLOCK.split("\n")),
    "\n".join(f"> > {line}" for line in BLOCK.split("\n")), "\n".join(f"### {line}" for line in BLOCK.split("\n")),
    "\n".join(f"{n}. {line}" for n, line in enumerate(BLOCK.split("\n"), 1)),
    "\n".join(f"{n}) {line}" for n, line in enumerate(BLOCK.split("\n"), 1)),
    "\n".join(f"({n}) {line}" for n, line in zip("abc", BLOCK.split("\n"), strict=True)),
    "\n".join(f"{n}. {line}" for n, line in zip(("i", "ii", "iii"), BLOCK.split("\n"), strict=True)),
    "\n".join(f"{n}) {line}" for n, line in zip("abc", BLOCK.split("\n"), strict=True)),
    "\n".join(f"- [x] {line}" for line in BLOCK.split("\n")),
    "\n".join(f"**{line}**" for line in BLOCK.split("\n")), "\n".join(f"`{line}`" for line in BLOCK.split("\n")),
    "\n".join(f"*{line}*" for line in BLOCK.split("\n")), "\n".join(f"_{line}_" for line in BLOCK.split("\n")),
    "\n".join(f"__{line}__" for line in BLOCK.split("\n")),
    "\n".join("**" + line.replace(":", ":**") for line in BLOCK.split("\n")),
    "\n".join("**" + line.replace(":", "**:") for line in BLOCK.split("\n")),
    "\n".join("- **" + line.replace(":", ":**") for line in BLOCK.split("\n")),
    "\n".join("`" + line.replace(":", "`:") for line in BLOCK.split("\n")),
    "\n".join("__" + line.replace(":", ":__") for line in BLOCK.split("\n")),
    "\n".join("***" + line.replace(":", ":***") for line in BLOCK.split("\n")),
    "\n".join("<b>" + line.replace(":", ":</b>") + "<br>" for line in BLOCK.split("\n")),
    "\n".join("<li>" + line + "</li>" for line in BLOCK.split("\n")),
    "\n".join(f"<p>{line}</p>" for line in BLOCK.split("\n")), "<br>".join(BLOCK.split("\n")),
    "\n".join(f"[{line}]" for line in BLOCK.split("\n")), "\n".join(f"({line})" for line in BLOCK.split("\n")),
    "\n".join(f"[{line.replace(':', ']:')}" for line in BLOCK.split("\n")),
    "\n".join(f'"{line}"' for line in BLOCK.split("\n")), "\n".join(f"🔹 {line}" for line in BLOCK.split("\n")),
    "\n".join(f"→ {line}" for line in BLOCK.split("\n")),
    "\n".join(f"\u200e{line}\u200f" for line in BLOCK.split("\n")), "\ufeff" + BLOCK,
    BLOCK.replace("E", "E\u200b"), BLOCK.replace("A", "A\u00ad"), BLOCK + "\x00",
    "; ".join(BLOCK.split("\n")), " | ".join(BLOCK.split("\n")), ", ".join(BLOCK.split("\n")),
    ". ".join(BLOCK.split("\n")), " ".join(BLOCK.split("\n")), ";".join(BLOCK.split("\n")),
    "Answer: " + "; ".join(BLOCK.split("\n")), f"Final answer:\n{BLOCK}", f"**Final Answer**\n\n{BLOCK}",
    f"## Answer\n{BLOCK}", f"```\n{BLOCK}\n```", f"```text\n{BLOCK}\n```", f"```yaml\n{BLOCK}\n```",
    f"~~~\n{BLOCK}\n~~~", f"```\n{BLOCK}", f"<answer>{BLOCK}</answer>", f"<answer>\n{BLOCK}\n</answer>",
    f"<final_answer>\n{BLOCK}\n</final_answer>", f"<output>{BLOCK}</output>", f"$$\n{BLOCK}\n$$",
    '{"ADJUSTMENT_SET": ["A", "B"], "ESTIMATE": 0.42, "IDENTIFIABLE": "yes"}',
    '{"adjustment_set": ["A", "B"], "estimate": 0.42, "identifiable": true}',
    '{\n  "ADJUSTMENT_SET": ["A", "B"],\n  "ESTIMATE": 0.42,\n  "IDENTIFIABLE": "yes"\n}',
    '```json\n{\n  "ADJUSTMENT_SET": [\n    "A",\n    "B"\n  ],\n  "ESTIMATE": 0.42,\n  "IDENTIFIABLE": "yes"\n}\n```',
    "{'ADJUSTMENT_SET': ['A', 'B'], 'ESTIMATE': 0.42, 'IDENTIFIABLE': 'yes'}",
    '{"answer": {"ADJUSTMENT_SET": ["A", "B"], "ESTIMATE": 0.42, "IDENTIFIABLE": "yes"}}',
    '{"ADJUSTMENT_SET": "{A, B}", "ESTIMATE": "0.42", "IDENTIFIABLE": "yes",}',
    '{"ADJUSTMENT_SET":["A","B"],"ESTIMATE":0.42,"IDENTIFIABLE":"yes"}',
    "{ADJUSTMENT_SET: [A, B], ESTIMATE: 0.42, IDENTIFIABLE: yes}",
    '{"ADJUSTMENT_SET": "A, B", "ESTIMATE": 4.2e-1, "IDENTIFIABLE": true}',
    '[{"ADJUSTMENT_SET": ["A", "B"]}, {"ESTIMATE": 0.42}, {"IDENTIFIABLE": "yes"}]',
    '{"ESTIMATE": 0.42, // difference\n "IDENTIFIABLE": "yes", "ADJUSTMENT_SET": ["A", "B"]}',
    "ADJUSTMENT_SET:\n  - A\n  - B\nESTIMATE: 0.42\nIDENTIFIABLE: yes",
    "ADJUSTMENT_SET:\n- A\n- B\nESTIMATE: 0.42\nIDENTIFIABLE: true",
    "ADJUSTMENT_SET: [A, B]  # sufficient\nESTIMATE: 0.42  # difference\nIDENTIFIABLE: yes",
    "ADJUSTMENT_SET: ['A', 'B']\nESTIMATE: '0.42'\nIDENTIFIABLE: 'yes'",
    "---\nADJUSTMENT_SET: [A, B]\nESTIMATE: 0.42\nIDENTIFIABLE: yes\n...",
    "ADJUSTMENT_SET = ['A', 'B']\nESTIMATE = 0.42\nIDENTIFIABLE = True",
    "<ADJUSTMENT_SET>{A, B}</ADJUSTMENT_SET>\n<ESTIMATE>0.42</ESTIMATE>\n<IDENTIFIABLE>yes</IDENTIFIABLE>",
    "<adjustment_set>A, B</adjustment_set><estimate>0.42</estimate><identifiable>yes</identifiable>",
    "<ADJUSTMENT_SET>\n{A, B}\n</ADJUSTMENT_SET>\n<ESTIMATE>\n0.42\n</ESTIMATE>\n<IDENTIFIABLE>\nyes\n</IDENTIFIABLE>",
    "| ADJUSTMENT_SET | {A, B} |\n| ESTIMATE | 0.42 |\n| IDENTIFIABLE | yes |",
    "| Part | Answer |\n|:---|---:|\n| **ADJUSTMENT_SET** | {A, B} |\n| **ESTIMATE** | 0.42 |\n| **IDENTIFIABLE** | **yes** |",
    "ADJUSTMENT_SET | {A, B}\nESTIMATE | 0.42\nIDENTIFIABLE | yes",
    "| Label | Value | Reason |\n|---|---|---|\n| ADJUSTMENT_SET | {A, B} | blocks C |\n| ESTIMATE | 0.42 | 2 strata |\n| IDENTIFIABLE | yes | no open path |",
    "| # | Part | Value |\n|---|---|---|\n| 1 | ADJUSTMENT_SET | {A, B} |\n| 2 | ESTIMATE | 0.42 |\n| 3 | IDENTIFIABLE | yes |",
    "<table><tr><th>ADJUSTMENT_SET</th><td>{A, B}</td></tr><tr><th>ESTIMATE</th><td>0.42</td></tr><tr><th>IDENTIFIABLE</th><td>yes</td></tr></table>",
    "| ADJUSTMENT_SET | ESTIMATE | IDENTIFIABLE |\n|---|---|---|\n| {A, B} | 0.42 | yes |",
    "ADJUSTMENT_SET\tESTIMATE\tIDENTIFIABLE".replace("\t", " | ") + "\n--- | --- | ---\n{A, B} | 0.42 | yes",
    "<dl><dt>ADJUSTMENT_SET</dt><dd>{A, B}</dd><dt>ESTIMATE</dt><dd>0.42</dd><dt>IDENTIFIABLE</dt><dd>yes</dd></dl>",
    "\\boxed{\\text{ADJUSTMENT_SET: } \\{A, B\\}}\n\\boxed{\\text{ESTIMATE: } 0.42}\n\\boxed{\\text{IDENTIFIABLE: yes}}",
    "ADJUSTMENT_SET: \\boxed{\\{A, B\\}}\nESTIMATE: \\boxed{0.42}\nIDENTIFIABLE: \\boxed{\\text{yes}}",
    "\\textbf{ADJUSTMENT\\_SET:} $\\{A, B\\}$\n\\textbf{ESTIMATE:} $0.42$\n\\textbf{IDENTIFIABLE:} yes",
    "$\\text{ADJUSTMENT\\_SET} = \\{A, B\\}$\n$\\text{ESTIMATE} = 0.42$\n$\\text{IDENTIFIABLE} = \\text{yes}$",
    "\\begin{aligned}\n\\text{ADJUSTMENT\\_SET} &= \\{A, B\\} \\\\\n\\text{ESTIMATE} &= 0.42 \\\\\n\\text{IDENTIFIABLE} &= \\text{yes}\n\\end{aligned}",
    "\\begin{itemize}\n\\item ADJUSTMENT\\_SET: $\\{A,B\\}$\n\\item ESTIMATE: $0.42$\n\\item IDENTIFIABLE: yes\n\\end{itemize}",
    "ADJUSTMENT_SET:\n\\[\n\\{A, B\\}\n\\]\nESTIMATE:\n\\[\n0.42\n\\]\nIDENTIFIABLE:\nyes",
    "ADJUSTMENT_SET:\n```\n{A, B}\n```\nESTIMATE:\n```\n0.42\n```\nIDENTIFIABLE:\n```\nyes\n```",
    "### ADJUSTMENT_SET\n\n{A, B}\n\n### ESTIMATE\n\n0.42\n\n### IDENTIFIABLE\n\nyes",
    "**ADJUSTMENT_SET**\n{A, B}\n\n**ESTIMATE**\n0.42\n\n**IDENTIFIABLE**\nyes",
    "ADJUSTMENT_SET\n{A, B}\nESTIMATE\n0.42\nIDENTIFIABLE\nyes",
    "ADJUSTMENT_SET {A, B}\nESTIMATE 0.42\nIDENTIFIABLE yes",
    "ADJUSTMENT_SET is {A, B}\nESTIMATE is 0.42\nIDENTIFIABLE is yes",
    "My ADJUSTMENT_SET: {A, B}\nMy ESTIMATE: 0.42\nMy IDENTIFIABLE: yes",
    "Final ADJUSTMENT_SET: {A, B}\nFinal ESTIMATE: 0.42\nFinal IDENTIFIABLE: yes",
    "Part 1 - ADJUSTMENT_SET: {A, B}\nPart 2 - ESTIMATE: 0.42\nPart 3 - IDENTIFIABLE: yes",
    "**Part (a) ADJUSTMENT_SET:** {A, B}\n**Part (b) ESTIMATE:** 0.42\n**Part (c) IDENTIFIABLE:** yes",
    "ADJUSTMENT_SET (minimal): {A, B}\nESTIMATE (ATE): 0.42\nIDENTIFIABLE (yes/no): yes",
    "ADJUSTMENT_SET: {A, B} (minimal)\nESTIMATE: 0.42 (ATE)\nIDENTIFIABLE: yes (back-door)",
    "ADJUSTMENT_SET: ADJUSTMENT_SET: {A, B}\nESTIMATE: ESTIMATE: 0.42\nIDENTIFIABLE: IDENTIFIABLE: yes",
    "ADJUSTMENT_SET:: {A, B}\nESTIMATE:: 0.42\nIDENTIFIABLE:: yes",
    "ADJUSTMENT_SET\u200b: {A, B}\nESTIMATE\u2060: 0.42\nIDENTIFIABLE\ufeff: yes",
    "𝐀𝐃𝐉𝐔𝐒𝐓𝐌𝐄𝐍𝐓_𝐒𝐄𝐓: {A, B}\n𝐄𝐒𝐓𝐈𝐌𝐀𝐓𝐄: 0.42\n𝐈𝐃𝐄𝐍𝐓𝐈𝐅𝐈𝐀𝐁𝐋𝐄: yes",
    "ＡＤＪＵＳＴＭＥＮＴ＿ＳＥＴ：｛Ａ，Ｂ｝\nＥＳＴＩＭＡＴＥ：０．４２\nＩＤＥＮＴＩＦＩＡＢＬＥ：ｙｅｓ",
    "ADJUSTMENT&#95;SET: {A, B}<br/>ESTIMATE&#58; 0.42<br/>IDENTIFIABLE&colon; yes", f"{BLOCK}</s>",
    f"<s>{BLOCK}</s>", f"{BLOCK}<|im_end|>", f"{BLOCK}<|eot_id|>", f"<|im_start|>assistant\n{BLOCK}<|im_end|>",
    f"{BLOCK}<end_of_turn>", f"{BLOCK}<|endoftext|>", f"\x1b[1m{BLOCK}\x1b[0m",
    f"{BLOCK}\n\n{BLOCK}", f"ADJUSTMENT_SET: <names>\nESTIMATE: <number>\nIDENTIFIABLE: <yes|no>\n\n{BLOCK}", f"{BLOCK}\n\n(Format: ADJUSTMENT_SET: <names>, ESTIMATE: <number>, IDENTIFIABLE: <yes|no>)", f"{BLOCK}\nADJUSTMENT_SET:\nESTIMATE:\nIDENTIFIABLE:", f"ADJUSTMENT_SET: {{C}}\nESTIMATE: 0.5\nIDENTIFIABLE: no\n\nWait, that is wrong.\n\n{BLOCK}", f"First I need the ADJUSTMENT_SET, then the ESTIMATE, and whether it is IDENTIFIABLE.\n\n{BLOCK}", f"{BLOCK}\n\nThe ADJUSTMENT_SET follows from the back-door criterion, the ESTIMATE from the 2 strata.", f"{BLOCK}\n\nNote: the ESTIMATE uses the ADJUSTMENT_SET above.", f"{BLOCK}\n\nCONFIDENCE: 0.9\nNOTES: none",
    "ADJUSTMENT_SET: {A, B}\nCONFIDENCE: 0.9\nESTIMATE: 0.42\nSE: 0.03\nIDENTIFIABLE: yes\nREASON: no open path",
    f"{BLOCK}\n\nADJUSTMENT_SET: see above", f"I am asked to write `ESTIMATE: <number>`.\n\n{BLOCK}",
    f"1. Find the ADJUSTMENT_SET: look at the back-door paths.\n2. Compute the ESTIMATE: weight the 2 strata.\n\n{BLOCK}",
    f"<think>ESTIMATE: 0.5</think>\n{BLOCK}", f"<thinking>\nESTIMATE: 0.5\n</thinking>\n\n{BLOCK}", f"<THINK>ESTIMATE: 0.5</THINK>{BLOCK}", f"<thought>IDENTIFIABLE: no</thought>\n{BLOCK}", f"<reasoning>ESTIMATE: 0.5</reasoning>\n{BLOCK}", f"<reflection>ESTIMATE: 0.5</reflection>\n{BLOCK}", f"<scratchpad>ESTIMATE: 0.5</scratchpad>\n{BLOCK}", f"[THINK]ESTIMATE: 0.5[/THINK]{BLOCK}", f"◁think▷ESTIMATE: 0.5◁/think▷{BLOCK}", f"<|begin_of_thought|>ESTIMATE: 0.5<|end_of_thought|>\n\n{BLOCK}", f"<|thinking|>ESTIMATE: 0.5<|/thinking|>{BLOCK}", f"<seed:think>ESTIMATE: 0.5</seed:think>{BLOCK}", f"<thinking>ESTIMATE: 0.5</thinking>{BLOCK}", f"<antThinking>ESTIMATE: 0.5</antThinking>{BLOCK}",
    f'<think effort="high">ESTIMATE: 0.5</think>{BLOCK}', f"< think >ESTIMATE: 0.5</ think >{BLOCK}", f"<think>a<think>b</think>ESTIMATE: 0.5</think>{BLOCK}", f"<think>ESTIMATE: 0.5</think>x<think>IDENTIFIABLE: no</think>{BLOCK}", f"ESTIMATE: 0.5\n</think>\n{BLOCK}", f"</think>\n{BLOCK}", f"<think>\n\n</think>\n\n{BLOCK}", f"&lt;think&gt;ESTIMATE: 0.5&lt;/think&gt;{BLOCK}", f"＜think＞ESTIMATE: 0.5＜/think＞{BLOCK}", f"{BLOCK}\n<think>ESTIMATE: 0.5</think>", f"<think>It says </answer> and </thinking>. ESTIMATE: 0.5</think>{BLOCK}", f"<think>ESTIMATE: 0.5</thinking>\n{BLOCK}", f"```thinking\nESTIMATE: 0.5\n```\n{BLOCK}", f"<|channel|>analysis<|message|>ESTIMATE: 0.5<|end|><|start|>assistant<|channel|>final<|message|>{BLOCK}<|return|>",
    f"<|channel>thought\nESTIMATE: 0.5<channel|>{BLOCK}", f"<|START_THINKING|>ESTIMATE: 0.5<|END_THINKING|><|START_RESPONSE|>{BLOCK}<|END_RESPONSE|>", f"<internal_monologue>ESTIMATE: 0.5</internal_monologue>{BLOCK}", f"<analysis>ESTIMATE: 0.5</analysis>{BLOCK}",
]  # fmt: skip

TWO_PARTS: list[tuple[str, dict[str, Any]]] = [
    ("ESTIMATE: 0.40\nIDENTIFIABLE: yes\n\nCorrection:\nESTIMATE: 0.42", TWO),
    ("ESTIMATE: 0.40\nIDENTIFIABLE: yes\n\nCorrection: ESTIMATE: 0.42", TWO),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: no\nActually, IDENTIFIABLE: yes", TWO),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: yes\n\nESTIMATE: N/A", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: N/A\nIDENTIFIABLE: yes\n\nESTIMATE: 0.42", TWO),
    ("ESTIMATE: unknown\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("IDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE:\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE:\n\nIDENTIFIABLE: yes\n", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: <number>\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: <number>\nIDENTIFIABLE: <yes|no>", {"ESTIMATE": None, "IDENTIFIABLE": None}),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: yes or no", {"ESTIMATE": "0.42", "IDENTIFIABLE": None}),
    ("", {"ESTIMATE": None, "IDENTIFIABLE": None}),
    ("The effect is 0.42 and identifiable.", {"ESTIMATE": None, "IDENTIFIABLE": None}),
    ("ESTIMATE_CI: 0.5\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("NAIVE_ESTIMATE: 0.5\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: 0.42\nNAIVE ESTIMATE: 0.5\nIDENTIFIABLE: yes", TWO),
    ("ESTIMATE: 0.42\nNaive estimate: 0.5\nIDENTIFIABLE: yes", TWO),
    ("ESTIMATE: 0.42\nESTIMATE_SE: 0.03\nIDENTIFIABLE: yes", TWO),
    ("ESTIMATES: 0.5\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("RE-ESTIMATE: 0.5\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("UNIDENTIFIABLE: no\nESTIMATE: 0.42", {"ESTIMATE": "0.42", "IDENTIFIABLE": None}),
    ("ESTIMATE: 0.42 (the earlier ESTIMATE: 0.40 was wrong)\nIDENTIFIABLE: yes", TWO),
    (f"{PAIR}\n\nThe ESTIMATE: 0.40 that I gave first ignores the weights.", TWO),
    (f"{PAIR}\n\nThe estimate is larger than 0.1.", TWO),
    (f"{PAIR}\n\nSo the effect is identifiable: no path is open.", TWO), (f"{PAIR}\nESTIMATE: <number>", TWO),
    (f"{PAIR}\nESTIMATE: ...", TWO), (f"{PAIR}\nESTIMATE: as above", TWO),
    (f"{PAIR}\n\nIDENTIFIABLE: see the argument above", TWO),
    ("<think>ESTIMATE: 0.5\nIDENTIFIABLE: no", {"ESTIMATE": None, "IDENTIFIABLE": None}),
    ("<think>ESTIMATE: 0.5</think>\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    (f"{PAIR}\n<think>ESTIMATE: 0.5", TWO), ("ESTIMATE: 0.5\n</think>", {"ESTIMATE": None, "IDENTIFIABLE": None}),
    ("ESTIMATE: 0.42; IDENTIFIABLE: Identifiable via Z", TWO), ("ESTIMATE: 0.42\nIDENTIFIABLE: identifiable", TWO),
    ("ESTIMATE: The estimate is 0.42\nIDENTIFIABLE: The effect is identifiable", TWO),
    ("ESTIMATE: 0.42\n\nIDENTIFIABLE:\n\nThe back-door criterion holds, so yes.", TWO),
    ('{"ESTIMATE": null, "IDENTIFIABLE": "yes"}', {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ('{"ESTIMATE": 0.40, "IDENTIFIABLE": "yes", "ESTIMATE": 0.42}', TWO),
    ('{"ESTIMATE": {"value": 0.42}, "IDENTIFIABLE": {"value": "yes"}}', TWO),
    ("ESTIMATE: 0.42 IDENTIFIABLE: yes", TWO), ("ESTIMATE: 0.42 / IDENTIFIABLE: yes", TWO),
    ("Both parts: ESTIMATE: 0.42 and IDENTIFIABLE: yes", TWO),
    ("To sum up, ESTIMATE: 0.42, IDENTIFIABLE: yes.", TWO),
    ("ESTIMATE > 0.4\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: between 0.4 and 0.5\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: 0.42, CONFIDENCE: 0.9\nIDENTIFIABLE: yes, CONFIDENCE: high", TWO),
    ("ESTIMATE:\nThe two strata give\n0.42\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE:\nCONFIDENCE: 0.9\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: ~~0.42~~\nIDENTIFIABLE: yes", {"ESTIMATE": None, "IDENTIFIABLE": "yes"}),
    ("ESTIMATE: **0.42**\n**IDENTIFIABLE**: **Yes** – the effect is identified.", TWO),
    ("ESTIMATE: 0.42\n---\nIDENTIFIABLE: yes\n---", TWO), ("ESTIMATE: 0.42 ✅\nIDENTIFIABLE: ✅ yes", TWO),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: ✅", TWO),
    ("ESTIMATE: 0.42\nIDENTIFIABLE: yes\n\nIDENTIFIABLE means that the effect can be computed; no instrument is needed.", TWO),
    ("The ESTIMATE is 0.42.\nIDENTIFIABLE: yes", TWO), ("Thus ESTIMATE = 0.42.\nHence IDENTIFIABLE = yes.", TWO),
    ("ESTIMATE=.42\nIDENTIFIABLE=Yes", TWO), ("**ESTIMATE:**\n0.42\n\n**IDENTIFIABLE:**\nyes", TWO),
]  # fmt: skip


def _values(text: str | None, *parts: Part) -> dict[str, Any]:
    return {part.id: part.parsed for part in result_of(text, *parts).parts}


@pytest.mark.parametrize("text", BLOCKS)
def test_a_block_is_read_in_every_dress(text: str) -> None:
    assert _values(text, *ALL) == THREE


@pytest.mark.parametrize(("text", "values"), TWO_PARTS)
def test_each_part_is_read_from_the_last_place_that_gives_it(text: str, values: dict[str, Any]) -> None:
    assert _values(text, ESTIMATE, VERDICT) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("EDGES: A -> B, B -> C\nESTIMATE: 0.42", {"EDGES": [["A", "B"], ["B", "C"]], "ESTIMATE": "0.42"}),
        ("EDGES:\n- A -> B\n- B -> C\n\nESTIMATE: 0.42", {"EDGES": [["A", "B"], ["B", "C"]], "ESTIMATE": "0.42"}),
        ("EDGES:\nA -> B\nB -> C\nThese follow from the tests.\nESTIMATE: 0.42", {"EDGES": [["A", "B"], ["B", "C"]], "ESTIMATE": "0.42"}),
        ("EDGES: A -> B\n\nC -> D is not an edge.\nESTIMATE: 0.42", {"EDGES": [["A", "B"]], "ESTIMATE": "0.42"}),
        ('{"EDGES": [["A", "B"],\n ["B", "C"]],\n "ESTIMATE": 0.42}', {"EDGES": [["A", "B"], ["B", "C"]], "ESTIMATE": "0.42"}),
        ('{"EDGES": "A -> B, B -> C", "ESTIMATE": 0.42}', {"EDGES": [["A", "B"], ["B", "C"]], "ESTIMATE": "0.42"}),
        ('{"EDGES": "A -> B\\nB -> C", "ESTIMATE": "0.42"}', {"EDGES": [["A", "B"], ["B", "C"]], "ESTIMATE": "0.42"}),
        ('{"EDGES": "A \\u2192 B, B \\u2192 C", "ESTIMATE": "0.42"}', {"EDGES": [["A", "B"], ["B", "C"]], "ESTIMATE": "0.42"}),
        ("EDGES: none\nESTIMATE: 0.42", {"EDGES": [], "ESTIMATE": "0.42"}),
    ],
)  # fmt: skip
def test_a_list_of_edges_ends_where_other_text_begins(text: str, values: dict[str, Any]) -> None:
    assert _values(text, EDGES, ESTIMATE) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ADJUSTMENT_SET: {A}\nSET: {B}", (["A"], ["B"])), ("SET: {B}\nADJUSTMENT_SET: {A}", (["A"], ["B"])),
        ("Adjustment Set: {A}\nSet: {B}", (["A"], ["B"])), ("ADJUSTMENT_SET: {A}", (["A"], None)),
        ("Adjustment set: {A}", (["A"], None)),
        ("ADJUSTMENT-SET: {A}", (["A"], None)), ("SET: {B}", (None, ["B"])),
        ("ADJUSTMENT_SET: {A}; SET: {B}", (["A"], ["B"])), ("SET: {B}, ADJUSTMENT_SET: {A}", (["A"], ["B"])),
    ],
)  # fmt: skip
def test_a_label_is_no_piece_of_another(text: str, values: tuple[Any, Any]) -> None:
    short = Part("SET", "node_set", [], {"universe": ["A", "B"]})
    got = _values(text, SET, short)
    assert (got["ADJUSTMENT_SET"], got["SET"]) == values


@pytest.mark.parametrize(
    "text", ["P1: 0.1\nP2: 0.2\nP10: 1.0", "P10: 1\nP2: .2\nP1: .1", "P1: 0.1; P2: 0.2; P10: 1.0", "P_1: 0.1\nP 2: 0.2\nP-10: 1", "**P1**: 0.1 **P2**: 0.2 **P10**: 1.0", '{"P1": 0.1, "P2": 0.2, "P10": 1.0}']
)  # fmt: skip
def test_labels_with_numbers_are_told_apart(text: str) -> None:
    got = _values(text, *(Part(label, "number", "0", {}) for label in ("P1", "P2", "P10")))
    assert {label: float(value) for label, value in got.items()} == {"P1": 0.1, "P2": 0.2, "P10": 1.0}


CORRECTED = [
    (f"{PAIR}\n\nWait. ESTIMATE should be 0.43.", "0.43"), (f"{PAIR}\nCorrection: the ESTIMATE is 0.43.", "0.43"), (f"{PAIR}\nActually the estimate is 0.43.", "0.43"), (f"{PAIR}\nUpdated ESTIMATE: 0.43", "0.43"), (f"{PAIR}\nWait, the ESTIMATE: 0.43 I gave was wrong.", "0.42"), (f"{PAIR}\nSorry, ESTIMATE: 0.43", "0.43"),
    (f"{PAIR}\nESTIMATE: unchanged", "0.42"), (f"{PAIR}\n- ESTIMATE: difference of means", "0.42"), (f"{PAIR}\nESTIMATE: withdrawn", None), (f"{PAIR}\nESTIMATE: not computable", None), (f"{PAIR}\nESTIMATE: 0.4 or 0.5", None), ("Example: ESTIMATE: 0.1\nESTIMATE: 0.42", "0.42"), ("ESTIMATE <- 0.42", "0.42"), ("ESTIMATE value: 0.42", "0.42"), ("ESTIMATE: 0.42 -- done", "0.42"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), CORRECTED)
def test_a_correction_counts_and_a_mention_does_not(text: str, value: str | None) -> None:
    assert _values(text, ESTIMATE, VERDICT)["ESTIMATE"] == value


def test_no_text_gives_no_value() -> None:
    assert _values(None, *ALL) == dict.fromkeys(THREE)
