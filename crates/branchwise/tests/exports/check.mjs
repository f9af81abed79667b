// Run the script of reports, and compare its answers with those of `predict`, and its places with those
// of the program's own layout.
//
//   node check.mjs FOLDER page
//
// The folder holds the cases that main.rs wrote.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];

// What is in the page's element of this name.
function content(page, id) {
  const start = page.indexOf(">", page.indexOf(`<script`, page.indexOf(`id="${id}"`) - 40)) + 1;
  return page.slice(start, page.indexOf("</script>", start));
}

let rows = 0;
for (const file of readdirSync(folder).filter((name) => /^case_\d+\.html$/.test(name)).sort()) {
  const page = readFileSync(join(folder, file), "utf8");
  const model = JSON.parse(content(page, "model"));
  const branchwise = new Function(`${content(page, "answering")}; return branchwise;`)();
  const asked = JSON.parse(readFileSync(join(folder, file.replace(".html", ".json")), "utf8"));
  for (const row of asked.rows) {
    const value = (column) => row.texts[asked.columns.indexOf(model.inputs[column].name)];
    const { path } = branchwise.walk(model, value);
    assert.deepEqual(path, row.path, `${file}: ${JSON.stringify(row.texts)}`);
    assert.deepEqual(model.shares[path.at(-1)], row.probabilities);
    rows += 1;
  }
  const { places } = branchwise.arrange(model.blocks, model, () => false);
  model.blocks.forEach(({ box, label }, place) => {
    assert.deepEqual(places[place].box, { x: box.x, y: box.y }, `${file}: box ${place}`);
    if (place > 0) assert.deepEqual(places[place].label, { x: label.x, y: label.y });
  });
}
console.log(`page: ${rows} rows`);
