"use strict";
// What the page does: the tree that opens, closes and zooms, the node that is looked at, and the row
// that walks down. All texts go in as text, never as HTML.
(() => {
  const model = JSON.parse(document.getElementById("model").textContent);
  const { blocks } = model;
  const byId = (id) => document.getElementById(id);
  const placeOf = [];
  blocks.forEach(({ node }, place) => (placeOf[node] = place));
  const parentOf = (node) => (blocks[placeOf[node]].parent === null ? null : blocks[blocks[placeOf[node]].parent].node);
  const children = blocks.map(() => []);
  for (const { node, parent } of blocks) if (parent !== null) children[parent].push(node);
  const childrenOf = (node) => children[placeOf[node]];
  const isSplit = (node) => Boolean(model.nodes[node].split);

  function element(name, attributes = {}, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  }

  function drawn(name, attributes = {}) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function pathTo(node) {
    const path = [];
    for (let at = node; at !== null; at = parentOf(at)) path.unshift(at);
    return path;
  }

  const grouped = (count) => count.toLocaleString("en-GB");
  const rowsOf = (count) => `${grouped(count)} ${count === 1 ? "row" : "rows"}`;
  const percent = (share) => {
    const shown = (100 * share).toFixed(1);
    return shown === "100.0" && share < 1 ? ">99.9 %" : `${shown} %`;
  };
  const countsOf = (node) => (model.nodes[node].split ?? model.nodes[node].leaf).counts.rows;
  const sum = (counts) => counts.reduce((total, count) => total + count, 0);

  // ---------------------------------------------------------------- the tree

  const stage = byId("stage");
  const picture = stage.querySelector("svg");
  const paper = picture.querySelector(".paper");
  const groups = [];
  const lines = [];
  const toggles = [];
  const closed = new Set();
  let turned = false;
  let size = null;
  let zoom = 1;

  for (const group of picture.querySelectorAll("g[data-node]")) groups[Number(group.dataset.node)] = group;
  for (const line of picture.querySelectorAll("path[data-to]")) lines[Number(line.dataset.to)] = line;

  const isOpen = (node) => !closed.has(node);
  const isShown = (node) => groups[node].style.display !== "none";
  const shownNodes = () => blocks.map((block) => block.node).filter(isShown);

  function hiddenLeaves(node) {
    return isSplit(node) ? sum(childrenOf(node).map(hiddenLeaves)) : 1;
  }

  function arrange() {
    const direction = turned ? (model.direction === "down" ? "right" : "down") : model.direction;
    const layout = { spacing: model.spacing, direction };
    const found = branchwise.arrange(blocks, layout, (place) => closed.has(blocks[place].node));
    found.places.forEach((place, index) => {
      const { node, box, label } = blocks[index];
      groups[node].style.display = place ? "" : "none";
      if (lines[node]) lines[node].style.display = place ? "" : "none";
      if (!place) return;
      const boxes = groups[node].querySelectorAll(":scope > g");
      const move = (group, from, to) => group.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
      if (boxes.length > 1) move(boxes[0], label, place.label);
      move(boxes[boxes.length - 1], box, place.box);
      if (lines[node]) {
        const drawn = place.line.map((points) => "M" + points.map(({ x, y }) => `${x} ${y}`).join("L"));
        lines[node].setAttribute("d", drawn.join(""));
      }
      if (toggles[node]) placeToggle(node, direction);
    });
    // The round button of a closed split stands beyond its box, maybe the last one.
    const beyond = closed.size ? 24 : 0;
    size = { width: found.width + beyond, height: found.height + beyond };
    picture.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    paper.setAttribute("width", size.width);
    paper.setAttribute("height", size.height);
    scale(zoom);
  }

  function placeToggle(node, direction) {
    const { box } = blocks[placeOf[node]];
    const text = isOpen(node) ? "−" : `+${hiddenLeaves(node)}`;
    const width = 8 + 7 * text.length;
    const [x, y] = direction === "down"
      ? [box.x + box.width / 2, box.y + box.height + 7]
      : [box.x + box.width + width / 2 - 1, box.y + box.height / 2];
    const [frame, sign] = toggles[node].children;
    const shape = { x: x - width / 2, y: y - 7.5, width, height: 15, rx: 7.5 };
    for (const [key, value] of Object.entries(shape)) frame.setAttribute(key, value);
    sign.setAttribute("x", x);
    sign.setAttribute("y", y + 4);
    sign.textContent = text;
  }

  function scale(factor, middle = null) {
    const before = zoom;
    zoom = Math.min(4, Math.max(0.05, factor));
    const at = middle ?? { x: stage.clientWidth / 2, y: stage.clientHeight / 2 };
    const [left, top] = [stage.scrollLeft + at.x, stage.scrollTop + at.y];
    picture.setAttribute("width", Math.round(size.width * zoom));
    picture.setAttribute("height", Math.round(size.height * zoom));
    stage.scrollLeft = (left * zoom) / before - at.x;
    stage.scrollTop = (top * zoom) / before - at.y;
  }

  function fit() {
    const most = parseFloat(getComputedStyle(stage).maxHeight) - 4;
    scale(Math.min(1, stage.clientWidth / size.width, most / size.height));
  }

  // At first as large as can be read: the whole width if that is not too small, and the root in view.
  // A large tree opens with a few levels only, so that it stays readable; a phone has room for few boxes.
  function begin() {
    const most = stage.clientWidth < 500 ? 20 : 100;
    const within = (depth) => blocks.filter((block) => block.depth <= depth).length;
    openAll((depth) => within(depth + 1) <= most);
    scale(Math.min(1, Math.max(0.8, stage.clientWidth / size.width)));
    reveal(0);
  }

  function reveal(node) {
    if (!isShown(node)) return;
    const [inner, outer] = [groups[node].lastElementChild.getBoundingClientRect(), stage.getBoundingClientRect()];
    const into = (from, to, low, high) => (from < low + 24 || to > high - 24 ? (from + to) / 2 - (low + high) / 2 : 0);
    stage.scrollLeft += into(inner.left, inner.right, outer.left, outer.right);
    stage.scrollTop += into(inner.top, inner.bottom, outer.top, outer.bottom);
  }

  function toggle(node, open = !isOpen(node)) {
    if (!isSplit(node)) return;
    if (open) closed.delete(node);
    else closed.add(node);
    groups[node].setAttribute("aria-expanded", String(open));
    arrange();
    if (!isShown(current)) look(node);
  }

  // Open the splits of some depths, and close all others; the root always stays open.
  function openAll(isOpened) {
    for (const { node, depth } of blocks) {
      if (!isSplit(node)) continue;
      if (node === 0 || isOpened(depth)) closed.delete(node);
      else closed.add(node);
      groups[node].setAttribute("aria-expanded", String(isOpen(node)));
    }
    arrange();
    if (!isShown(current)) look(0);
    reveal(current);
  }

  function prepare() {
    picture.setAttribute("role", "tree");
    picture.setAttribute("aria-label", model.title);
    for (const { node, depth } of blocks) {
      const group = groups[node];
      const siblings = parentOf(node) === null ? [node] : childrenOf(parentOf(node));
      const clause = model.clauses[node] === null ? "" : `${model.clauses[node]}: `;
      const attributes = {
        role: "treeitem",
        tabindex: node === 0 ? 0 : -1,
        "aria-level": depth + 1,
        "aria-setsize": siblings.length,
        "aria-posinset": siblings.indexOf(node) + 1,
        "aria-selected": "false",
        "aria-label": `${clause}${model.names[node]}, ${rowsOf(sum(countsOf(node)))}`,
      };
      for (const [key, value] of Object.entries(attributes)) group.setAttribute(key, value);
      if (!isSplit(node)) continue;
      group.setAttribute("aria-expanded", "true");
      const button = drawn("g", { class: "toggle", "aria-hidden": "true" });
      button.append(drawn("rect"), drawn("text"));
      group.lastElementChild.append(button);
      toggles[node] = button;
    }
  }

  // ---------------------------------------------------------------- what is looked at

  let current = 0;

  // Light a path up, and look at its last node.
  function light(path, walking) {
    picture.classList.toggle("walking", walking);
    for (const { node } of blocks) {
      const on = path.includes(node);
      groups[node].classList.toggle("lit", on);
      lines[node]?.classList.toggle("lit", on);
      // What is lit is drawn last, over the lines that it shares with others.
      if (on && lines[node]) groups[0].before(lines[node]);
    }
  }

  function look(node, { path = pathTo(node), walking = false, focus = false } = {}) {
    for (const above of pathTo(node).slice(0, -1)) if (!isOpen(above)) toggle(above, true);
    groups[current].setAttribute("tabindex", "-1");
    groups[current].setAttribute("aria-selected", "false");
    current = node;
    groups[node].setAttribute("tabindex", "0");
    groups[node].setAttribute("aria-selected", "true");
    light(path, walking);
    describe(node);
    for (const row of document.querySelectorAll("#rules tr[data-node]")) {
      row.classList.toggle("lit", Number(row.dataset.node) === node);
    }
    if (focus) groups[node].focus({ preventScroll: true });
    reveal(node);
  }

  function describe(node) {
    const counts = countsOf(node);
    const total = sum(counts);
    const whole = sum(countsOf(0));
    const clauses = pathTo(node).slice(1).map((at) => model.clauses[at]);
    const rule = clauses.length ? clauses.flatMap((clause, place) => [
      element("li", {}, place ? element("span", { class: "joint" }, "and ") : element("span", { class: "joint" }, "if "), clause),
    ]) : [element("li", {}, "every row")];
    const says = isSplit(node) ? "asks" : "answers";
    const shares = element("table", { class: "shares" });
    model.shares[node].forEach((share, label) => {
      if (counts[label] === 0) return;
      const bar = element("span", { class: "bar", style: `--share:${share};--colour:var(--tint${label % 24})` });
      shares.append(element("tr", {},
        element("th", { scope: "row" }, model.shownClasses[label]),
        element("td", {}, bar),
        element("td", { class: "number" }, grouped(counts[label])),
        element("td", { class: "number" }, percent(share))));
    });
    const facts = `${rowsOf(total)}, ${percent(total / Math.max(1, whole))} of the training table.`;
    const also = isSplit(node)
      ? [element("p", { class: "quiet" }, "A row that no branch takes stops here, and is answered with ", element("b", {}, model.shownClasses[model.answers[node]]), ".")]
      : [];
    byId("node").replaceChildren(
      element("h3", {}, element("span", { class: "quiet" }, `Node ${node} ${says} `), model.names[node]),
      element("ol", { class: "rule" }, ...rule),
      element("p", {}, facts), shares, ...also);
  }

  // ---------------------------------------------------------------- a row

  const UNKNOWN = "unknown";
  const MISSING = "missing";
  const OTHER = "other";
  const VALUE = "value:";
  const controls = new Map();

  // The columns that the tree asks about, those asked first at first.
  function askedColumns() {
    const columns = [];
    for (const { node } of [...blocks].sort((a, b) => a.depth - b.depth)) {
      const column = isSplit(node) ? branchwise.columnOf(model, model.nodes[node].split) : null;
      if (column !== null && !columns.includes(column)) columns.push(column);
    }
    return columns;
  }

  // A value that training did not see.
  function unheardOf(values) {
    let text = "another value";
    while (values.includes(text) || model.missingValues.includes(text)) text += "?";
    return text;
  }

  function chooser(values, shown) {
    const option = (value, text) => element("option", { value }, text);
    const select = element("select", {},
      option(UNKNOWN, "choose …"),
      ...values.map((value, place) => option(VALUE + place, shown[place])),
      option(OTHER, "another value"),
      option(MISSING, "no value"));
    const read = () => {
      if (select.value === UNKNOWN) return undefined;
      if (select.value === MISSING) return null;
      if (select.value === OTHER) return unheardOf(values);
      return values[Number(select.value.slice(VALUE.length))];
    };
    return { parts: [select], field: select, read, clear: () => (select.value = UNKNOWN) };
  }

  function writer(placeholder, id, suggestions) {
    const input = element("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder });
    const none = element("input", { type: "checkbox" });
    const parts = [input, element("label", { class: "none" }, none, "no value")];
    if (suggestions) {
      input.setAttribute("list", `${id}-values`);
      parts.push(element("datalist", { id: `${id}-values` }, ...suggestions.map((value) => element("option", { value }))));
    }
    none.addEventListener("change", () => (input.disabled = none.checked));
    // Tables are read without the blanks around values.
    const text = () => input.value.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
    const read = () => (none.checked ? null : text() === "" ? undefined : text());
    const clear = () => { input.value = ""; none.checked = false; input.disabled = false; };
    return { parts, field: input, read, clear };
  }

  function controlFor(column, id) {
    const { levels } = model.inputs[column];
    const values = levels.categories?.values ?? levels.order?.line.ranks;
    if (values && values.length <= 40) return chooser(values, model.shownValues[column]);
    if (values) return writer("a value", id, values.slice(0, 1000));
    if (levels.order.line === "dates") return writer("YYYY-MM-DD", id);
    const made = writer("a number", id);
    made.field.setAttribute("inputmode", "text");
    return made;
  }

  function prepareForm() {
    const form = byId("row");
    const fields = byId("fields");
    askedColumns().forEach((column) => {
      const id = `column-${column}`;
      const control = controlFor(column, id);
      control.field.id = id;
      controls.set(column, control);
      const line = element("div", { class: "field", "data-column": column },
        element("label", { for: id }, model.shownColumns[column]),
        element("div", { class: "control" }, ...control.parts));
      fields.append(line);
    });
    if (controls.size === 0) fields.append(element("p", { class: "quiet" }, "This tree asks nothing: every row gets the same answer."));
    form.addEventListener("input", answer);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      for (const control of controls.values()) control.clear();
      answer();
    });
  }

  function answer() {
    const found = branchwise.walk(model, (column) => controls.get(column).read());
    const end = found.path.at(-1);
    const known = [...controls.values()].some((control) => control.read() !== undefined);
    const label = element("b", { class: "class" }, model.shownClasses[model.answers[end]]);
    const sure = `${percent(model.shares[end][model.answers[end]])} of ${rowsOf(sum(countsOf(end)))} there`;
    for (const line of document.querySelectorAll("#fields .field")) {
      line.classList.toggle("asked", found.path.some((node) => isSplit(node) && String(branchwise.columnOf(model, model.nodes[node].split)) === line.dataset.column));
    }
    const said = byId("answer");
    if (found.asks !== undefined) {
      said.replaceChildren("Give ", element("b", {}, model.shownColumns[found.asks]), known ? " to go on." : " to begin.");
    } else if (found.stopped) {
      said.replaceChildren("Answer: ", label, `. No branch takes this value, so the row stops here (${sure}).`);
    } else {
      said.replaceChildren("Answer: ", label, ` (${sure}).`);
    }
    said.classList.toggle("final", found.asks === undefined);
    look(end, { path: found.path, walking: known });
  }

  // ---------------------------------------------------------------- hands

  const nodeAt = (target) => {
    const group = target.closest("g[data-node]");
    return group ? Number(group.dataset.node) : null;
  };

  function step(by) {
    const nodes = shownNodes();
    const next = nodes[nodes.indexOf(current) + by];
    if (next !== undefined) look(next, { focus: true });
  }

  const KEYS = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ArrowRight: () => (isSplit(current) && !isOpen(current) ? toggle(current, true) : isSplit(current) && look(childrenOf(current)[0], { focus: true })),
    ArrowLeft: () => (isSplit(current) && isOpen(current) && current !== 0 ? toggle(current, false) : parentOf(current) !== null && look(parentOf(current), { focus: true })),
    Home: () => look(0, { focus: true }),
    End: () => look(shownNodes().at(-1), { focus: true }),
    Enter: () => toggle(current),
    " ": () => toggle(current),
    "+": () => scale(zoom * 1.25),
    "=": () => scale(zoom * 1.25),
    "-": () => scale(zoom / 1.25),
    0: fit,
  };

  function listen() {
    picture.addEventListener("click", (event) => {
      const node = nodeAt(event.target);
      if (node === null) return;
      if (event.target.closest(".toggle")) toggle(node);
      look(node, { focus: true });
    });
    picture.addEventListener("dblclick", (event) => {
      const node = nodeAt(event.target);
      if (node !== null && !event.target.closest(".toggle")) toggle(node);
    });
    picture.addEventListener("keydown", (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    // The wheel zooms where the tree is at hand, and scrolls the page elsewhere.
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !stage.contains(document.activeElement)) return;
      event.preventDefault();
      const outer = stage.getBoundingClientRect();
      const at = { x: event.clientX - outer.left, y: event.clientY - outer.top };
      scale(zoom * Math.exp(-event.deltaY / 400), at);
    }, { passive: false });
    let held = null;
    stage.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0 || nodeAt(event.target) !== null) return;
      held = { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
      stage.setPointerCapture(event.pointerId);
    });
    stage.addEventListener("pointermove", (event) => {
      if (!held) return;
      stage.scrollLeft = held.x - event.clientX;
      stage.scrollTop = held.y - event.clientY;
    });
    for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => (held = null));
    const actions = {
      larger: () => scale(zoom * 1.25),
      smaller: () => scale(zoom / 1.25),
      fit,
      turn: () => { turned = !turned; arrange(); reveal(current); },
      open: () => openAll(() => true),
      close: () => openAll(() => false),
    };
    for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
    byId("rules").addEventListener("click", (event) => {
      const button = event.target.closest("button[data-node]");
      if (!button) return;
      look(Number(button.dataset.node));
      byId("tree").scrollIntoView({ block: "start" });
    });
  }

  document.documentElement.classList.add("alive");
  prepare();
  begin();
  prepareForm();
  listen();
  look(0);
  answer();
})();
