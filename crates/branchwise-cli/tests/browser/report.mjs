// Reports, opened in a browser as a reader would: nodes clicked, rows led to their leaves, the keyboard
// alone, a phone, the night, a printer. Nothing may be written to the console, and nothing loaded.
//
//   node report.mjs BROWSER FOLDER [SCREENSHOTS]
//
// FOLDER holds the pages that scripts/browser-test.sh writes. With a third argument, pictures of the
// pages are left there, to be looked at.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, folder, screenshots] = process.argv.slice(2);
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 375, height: 740 };

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// Open a page, let `act` use it, and see that it was quiet.
async function withPage(name, act, { viewport = DESKTOP, colorScheme = "light" } = {}) {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  const said = [];
  const loaded = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("dialog", (dialog) => said.push(dialog.message()));
  page.on("request", (request) => loaded.push(request.url()));
  const address = pathToFileURL(join(folder, `${name}.html`)).href;
  await page.goto(address);
  await act(page);
  const others = loaded.filter((url) => url !== address && !url.startsWith("data:"));
  assert.deepEqual(said, [], `${name}: the console is silent`);
  assert.deepEqual(others, [], `${name}: nothing is loaded`);
  await context.close();
}

const tests = [];
const test = (title, act) => tests.push([title, act]);
const node = (page, number) => page.locator(`#stage g[data-node="${number}"]`);
const text = (page, id) => page.locator(`#${id}`).innerText();
const lit = (page) => page.locator("#stage g.lit").evaluateAll((nodes) => nodes.map((at) => Number(at.dataset.node)));
const island = (page) => page.evaluate(() => JSON.parse(document.getElementById("model").textContent));
const field = (page, name) => page.getByLabel(name, { exact: true });
const shown = (page) => page.locator("#stage g[data-node]:visible").count();
// A page that was never painted cannot be photographed.
const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

test("a node tells its rule, its rows and its shares", () =>
  withPage("clinic", async (page) => {
    await page.getByRole("treeitem", { name: /pain ≤ medium\?/ }).click();
    const said = await text(page, "node");
    for (const part of ["asks pain ≤ medium?", "if wait_days > 8.5", "and age ≤ 53", "and reminder = yes", "46 rows, 19.2 % of the training table", "came", "missed"]) {
      assert.ok(said.includes(part), `${part} in ${said}`);
    }
    assert.equal((await lit(page)).length, 4);
  }));

test("a row walks to its leaf", () =>
  withPage("clinic", async (page) => {
    assert.match(await text(page, "answer"), /Give wait_days to begin/);
    await field(page, "wait_days").fill("30");
    assert.match(await text(page, "answer"), /Give age to go on/);
    await field(page, "age").fill(" 41 ");
    await field(page, "reminder").selectOption({ label: "yes" });
    await field(page, "pain").selectOption({ label: "high" });
    assert.equal(await text(page, "answer"), "Answer: missed (71.4 % of 7 rows there).");
    assert.equal((await lit(page)).length, 5);
    await field(page, "wait_days").fill("8.5");
    assert.equal(await text(page, "answer"), "Answer: came (95.3 % of 129 rows there).");
    await page.getByRole("button", { name: "Clear" }).click();
    assert.match(await text(page, "answer"), /Give wait_days to begin/);
  }));

test("missing and unheard-of values are answered too", () =>
  withPage("clinic", async (page) => {
    await field(page, "wait_days").fill("9");
    await page.locator('[data-column]:has(label:text-is("age")) input[type="checkbox"]').check();
    assert.equal(await text(page, "answer"), "Answer: missed (100.0 % of 2 rows there).");
    await page.locator('[data-column]:has(label:text-is("age")) input[type="checkbox"]').uncheck();
    await field(page, "age").fill("forty");
    assert.match(await text(page, "answer"), /^Answer: came\. No branch takes this value/);
    await field(page, "age").fill("40");
    await field(page, "reminder").selectOption({ label: "another value" });
    assert.match(await text(page, "answer"), /No branch takes this value/);
  }));

test("the tree closes, opens, turns and zooms", () =>
  withPage("large", async (page) => {
    const { blocks } = await island(page);
    assert.equal(blocks.filter((_, place) => !blocks.some(({ parent }) => parent === place)).length, 63);
    const all = await shown(page);
    assert.equal(all, blocks.length);
    const size = () => page.locator("#stage svg").evaluate((svg) => [svg.clientWidth, svg.clientHeight]);
    const [width, height] = await size();
    await page.getByRole("button", { name: "Close all splits" }).click();
    const few = await shown(page);
    assert.ok(few < all / 10, `${few} of ${all}`);
    assert.ok((await size())[1] < height);
    assert.equal(await node(page, 0).getAttribute("aria-expanded"), "true");
    await page.getByRole("button", { name: "Open all splits" }).click();
    assert.deepEqual(await size(), [width, height]);
    await page.getByRole("button", { name: "Larger" }).click();
    assert.ok((await size())[0] > width);
    await page.getByRole("button", { name: "Show the whole tree" }).click();
    const stage = await page.locator("#stage").evaluate((at) => [at.clientWidth, at.scrollWidth, at.clientHeight, at.scrollHeight]);
    assert.ok(stage[0] >= stage[1] && stage[2] + 1 >= stage[3], `${stage}`);
    await page.getByRole("button", { name: "grow the other way" }).click();
    await page.getByRole("button", { name: "grow the other way" }).click();
    await node(page, 0).locator(".toggle").click();
    assert.equal(await shown(page), 1);
    await page.mouse.wheel(0, -400);
    await page.waitForFunction((before) => document.querySelector("#stage svg").clientWidth > before, (await size())[0] - 1);
  }));

test("every row of a large tree walks to the leaf that its rule tells of", () =>
  withPage("large", async (page) => {
    const model = await island(page);
    const leaves = model.blocks.filter(({ node }) => model.nodes[node].leaf);
    for (const leaf of leaves.filter((_, place) => place % 6 === 0)) {
      await page.getByRole("button", { name: "Clear" }).click();
      for (let at = leaf; at.parent !== null; at = model.blocks[at.parent]) {
        const { split } = model.nodes[model.blocks[at.parent].node];
        const { column } = model.features[split.feature].values;
        const [category] = split.children.find((child) => child.node === at.node).categories;
        await page.locator(`#column-${column}`).selectOption({ label: model.inputs[column].levels.categories.values[category] });
      }
      assert.equal((await lit(page)).at(-1) !== undefined, true);
      const expected = `Answer: ${model.shownClasses[model.answers[leaf.node]]} (`;
      assert.ok((await text(page, "answer")).startsWith(expected));
      assert.equal(await node(page, leaf.node).getAttribute("aria-selected"), "true");
    }
  }));

test("the places in the page are those of the program's layout", () =>
  withPage("large", async (page) => {
    const differences = await page.evaluate(() => {
      const model = JSON.parse(document.getElementById("model").textContent);
      const { places } = branchwise.arrange(model.blocks, model, () => false);
      return model.blocks.filter(({ box, label }, place) => {
        const found = places[place];
        return box.x !== found.box.x || box.y !== found.box.y || (place > 0 && (label.x !== found.label.x || label.y !== found.label.y));
      }).length;
    });
    assert.equal(differences, 0);
  }));

test("no two boxes overlap, whatever is closed", () =>
  withPage("large", async (page) => {
    const toggles = page.locator("#stage .toggle:visible");
    for (const place of [3, 9, 1, 12]) {
      if (place < (await toggles.count())) await toggles.nth(place).dispatchEvent("click");
      const overlaps = await page.evaluate(() => {
        const shown = [...document.querySelectorAll("#stage g[data-node]")].filter((at) => at.style.display !== "none");
        const areas = shown.map((at) => at.querySelector("rect").getBoundingClientRect());
        let overlaps = 0;
        areas.forEach((a, place) => areas.slice(place + 1).forEach((b) => {
          if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) overlaps += 1;
        }));
        return overlaps;
      });
      assert.equal(overlaps, 0);
    }
  }));

test("the keyboard is enough", () =>
  withPage("clinic", async (page) => {
    await node(page, 0).focus();
    const current = () => page.evaluate(() => Number(document.activeElement.dataset.node));
    await page.keyboard.press("ArrowRight");
    const first = await current();
    assert.equal(await node(page, first).getAttribute("aria-level"), "2");
    await page.keyboard.press("ArrowDown");
    const second = await current();
    assert.equal(await node(page, second).getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Enter");
    assert.equal(await node(page, second).getAttribute("aria-expanded"), "false");
    assert.equal(await shown(page), 3);
    await page.keyboard.press("ArrowRight");
    assert.equal(await node(page, second).getAttribute("aria-expanded"), "true");
    await page.keyboard.press("End");
    assert.match(await text(page, "node"), /answers/);
    await page.keyboard.press("Home");
    assert.equal(await current(), 0);
    await page.keyboard.press("+");
    // Every button and field can be reached by Tab.
    const reached = new Set();
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent));
    }
    for (const name of ["fit", "turn", "Clear", "column-1"]) assert.ok(reached.has(name), `${name} in ${[...reached]}`);
  }));

test("a rule leads to its leaf", () =>
  withPage("clinic", async (page) => {
    const row = page.locator("#rules tbody tr").first();
    await row.getByRole("button").click();
    assert.match(await row.getAttribute("class"), /lit/);
    assert.match(await text(page, "node"), /answers came/);
    assert.match(await text(page, "figures"), /precision/);
  }));

test("what answers cost is shown as it was given", () =>
  withPage("costs", async (page) => {
    const rows = page.locator("#search table.by-answer tr");
    const cells = await rows.evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText)));
    assert.deepEqual(cells, [["true ╲ answered", "came", "missed"], ["came", "0", "1"], ["missed", "12.50", "0"]]);
  }));

test("hostile names do no harm", () =>
  withPage("hostile", async (page) => {
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.equal(await page.locator("img, #harm").count(), 0);
    const said = await page.locator("body").innerText();
    assert.ok(said.includes("</script><script>window.harmed = 1</script>"), said);
    await page.locator("#stage g[data-node]").first().click();
    await page.locator("#fields select").first().selectOption({ index: 1 });
    assert.match(await text(page, "answer"), /^Answer: /);
  }));

test("a single leaf is a page too", () =>
  withPage("leaf", async (page) => {
    assert.match(await text(page, "answer"), /^Answer: /);
    assert.match(await text(page, "rules"), /always/);
  }));

test("a phone shows everything without scrolling sideways", async () => {
  for (const name of ["clinic", "costs", "large", "hostile", "leaf"]) {
    await withPage(name, async (page) => {
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(inner <= outer, `${name}: ${inner} of ${outer}`);
    }, { viewport: PHONE });
  }
});

test("a page prints on A4", () =>
  withPage("clinic", async (page) => {
    const printed = await page.pdf({ format: "A4", preferCSSPageSize: true });
    const pages = printed.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    assert.ok(pages >= 1 && pages <= 4, `${pages} pages`);
  }));

if (screenshots) {
  for (const name of ["clinic", "costs", "large"]) {
    for (const [place, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      for (const colorScheme of ["light", "dark"]) {
        await withPage(name, async (page) => {
          const path = (what) => join(screenshots, `${name}-${place}-${colorScheme}${what}.png`);
          await painted(page);
          await page.screenshot({ path: path("") });
          if (name === "clinic") {
            await field(page, "wait_days").fill("30");
            await field(page, "age").fill("41");
            await field(page, "reminder").selectOption({ label: "yes" });
            await field(page, "pain").selectOption({ label: "low" });
          }
          await painted(page);
          await page.screenshot({ path: path("-whole"), fullPage: true });
        }, { viewport, colorScheme });
      }
    }
    await withPage(name, (page) => page.pdf({ path: join(screenshots, `${name}.pdf`), preferCSSPageSize: true }));
  }
}

let failed = 0;
for (const [title, act] of tests) {
  try {
    await act();
    console.log(`ok      ${title}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${title}\n${error.stack}`);
  }
}
await browser.close();
console.log(failed ? `${failed} of ${tests.length} failed` : `all ${tests.length} passed`);
process.exit(failed ? 1 : 0);
