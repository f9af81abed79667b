"use strict";
// How a row is answered, and where the boxes of the tree go, without a page: the same rules as in the
// program, so that the page says what the program says. The tree, its features and its columns come in
// the form of the model file.
const branchwise = (() => {
  // A number as [sign, magnitude, digits]: ± 0.DIGITS · 10^magnitude, of any length, never rounded.
  function number(text) {
    const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?)(\d+))?$/.exec(text);
    if (!parts) return null;
    const [, sign, whole, part = "", powerSign = "", power = "0"] = parts;
    const exponent = BigInt(power) * (powerSign === "-" ? -1n : 1n);
    const digits = whole + part;
    if (digits === "" || exponent < -(2n ** 31n) || exponent >= 2n ** 31n) return null;
    const kept = digits.replace(/^0+/, "");
    const magnitude = whole.length + Number(exponent) - (digits.length - kept.length);
    const short = kept.replace(/0+$/, "");
    return short === "" ? [0, 0, ""] : [sign === "-" ? -1 : 1, magnitude, short];
  }

  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  function compareNumbers(a, b) {
    if (a[0] !== b[0]) return order(a[0], b[0]);
    return a[0] * (order(a[1], b[1]) || order(a[2], b[2]));
  }

  // A date or time of ISO 8601 as nanoseconds; a time without a zone is taken as it stands.
  function moment(text) {
    const date = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]([^]*))?$/.exec(text);
    if (!date) return null;
    const [year, month, day] = date.slice(1, 4).map(Number);
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if (month < 1 || month > 12 || day < 1 || day > lengths[month - 1]) return null;
    const past = year - 1;
    const leaps = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
    const before = lengths.slice(0, month - 1).reduce((sum, days) => sum + days, 0);
    const minutes = (365 * past + leaps + before + day) * 24 * 60;
    if (date[4] === undefined) return BigInt(minutes) * 60_000_000_000n;
    const time = timeOfDay(date[4]);
    return time && BigInt(minutes + time.minutes) * 60_000_000_000n + time.nanoseconds;
  }

  function timeOfDay(clock) {
    let ahead = 0;
    if (/[Zz]$/.test(clock)) {
      clock = clock.slice(0, -1);
    } else {
      const sign = Math.max(clock.lastIndexOf("+"), clock.lastIndexOf("-"));
      if (sign >= 0) {
        const zone = /^(\d\d)(\d\d)?$/.exec(clock.slice(sign + 1).replace(":", ""));
        if (!zone) return null;
        ahead = (Number(zone[1]) * 60 + Number(zone[2] ?? 0)) * (clock[sign] === "-" ? -1 : 1);
        clock = clock.slice(0, sign);
      }
    }
    const time = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?$/.exec(clock);
    if (!time) return null;
    const [hour, minute, second] = [time[1], time[2], time[3] ?? 0].map(Number);
    if (hour > 23 || minute > 59 || second > 60) return null;
    const fraction = BigInt((time[4] ?? "").padEnd(9, "0"));
    return { minutes: hour * 60 + minute - ahead, nanoseconds: BigInt(second) * 1_000_000_000n + fraction };
  }

  // Where a text stands on a column's line, and how two places compare.
  function positions(line) {
    if (line === "numbers") return [number, compareNumbers];
    if (line === "dates") return [moment, order];
    const ranks = line.ranks;
    return [(text) => (ranks.includes(text) ? ranks.indexOf(text) : null), order];
  }

  // True and false are the same words in any usual case, unless training tells two of them apart.
  const TRUTH = [["true", "True", "TRUE"], ["false", "False", "FALSE"]];

  function placeOf(text, values) {
    const place = values.indexOf(text);
    const same = values.filter((value) => TRUTH.some((word) => word.includes(value) && word.includes(text)));
    return place < 0 && same.length === 1 ? values.indexOf(same[0]) : place;
  }

  // The cell of a column that a value lies in; null if training saw nothing like it.
  function cellOf(input, given, missingValues) {
    // Tables are read without the blanks around values.
    const value = given === null ? null : given.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
    const { categories, order: ordered } = input.levels;
    const size = categories
      ? categories.values.length + (categories.other === undefined ? 0 : 1)
      : ordered.cuts.length + 1;
    if (value === null || value === "" || missingValues.includes(value)) {
      return input.missing === undefined ? null : size;
    }
    if (categories) {
      const { values, other } = categories;
      const place = other === undefined ? placeOf(value, values) : values.indexOf(value);
      if (place >= 0) return place;
      return other === undefined ? null : values.length;
    }
    const [position, compare] = positions(ordered.line);
    const place = position(value);
    if (place === null) return null;
    return ordered.cuts.filter((cut) => compare(position(cut), place) < 0).length;
  }

  // The category of a value for a feature; null if it has none.
  function categoryOf(model, feature, value) {
    const kind = feature.values ?? feature.is ?? feature["at-most"];
    const input = model.inputs[kind.column];
    const cell = cellOf(input, value, model.missingValues);
    if (feature.is) return cell === kind.value ? 1 : 0;
    if (feature.values || cell === null) return cell;
    const missing = input.missing !== undefined && cell === cellOf(input, null, []);
    return missing ? 2 : cell <= kind.cut ? 1 : 0;
  }

  // The column that a split asks about.
  function columnOf(model, split) {
    const feature = model.features[split.feature];
    return (feature.values ?? feature.is ?? feature["at-most"]).column;
  }

  // Lead a row down the tree. `value(column)` is a text, null for a missing one, or undefined if it is
  // not known yet. `path` holds the nodes passed; `asks` is the column that is not known, `stopped`
  // says that no child takes the row, so that the split answers.
  function walk(model, value) {
    const path = [0];
    for (;;) {
      const { split } = model.nodes[path.at(-1)];
      if (!split) return { path };
      const column = columnOf(model, split);
      const text = value(column);
      if (text === undefined) return { path, asks: column };
      const category = categoryOf(model, model.features[split.feature], text);
      const child = split.children.find(({ categories }) => categories.includes(category));
      if (!child) return { path, stopped: true };
      path.push(child.node);
    }
  }

  // Where the boxes go if those below a closed one are hidden: the rule of the program's own layout.
  // Each block has a parent, a depth, the sizes of box and label. Hidden blocks have no place.
  function arrange(blocks, { spacing, direction }, isClosed) {
    const down = direction === "down";
    const across = (size) => (down ? size.width : size.height);
    const along = (size) => (down ? size.height : size.width);
    const point = (a, b) => (down ? { x: a, y: b } : { x: b, y: a });
    const shown = [];
    const children = blocks.map(() => []);
    blocks.forEach((block, place) => {
      if (block.parent !== null && (!shown[block.parent] || isClosed(block.parent))) return;
      shown[place] = true;
      if (block.parent !== null) children[block.parent].push(place);
    });
    const half = ({ box, label }) => Math.ceil(Math.max(across(box), across(label)) / 2);

    const centres = blocks.map(() => 0);
    const reaches = [];
    for (let place = blocks.length - 1; place >= 0; place--) {
      if (!shown[place]) continue;
      let reach = [];
      for (const child of children[place]) {
        const other = reaches[child];
        const apart = other.map(([left], level) => (reach[level] ? reach[level][1] + spacing.gap - left : -Infinity));
        const moved = reach.length ? Math.max(...apart) : 0;
        centres[child] = moved;
        other.forEach(([left, right], level) => {
          reach[level] = [reach[level] ? reach[level][0] : left + moved, right + moved];
        });
      }
      const ends = [children[place][0], children[place].at(-1)];
      const middle = ends[0] === undefined ? 0 : Math.floor((centres[ends[0]] + centres[ends[1]]) / 2);
      for (const child of children[place]) centres[child] -= middle;
      reach = reach.map(([left, right]) => [left - middle, right - middle]);
      reaches[place] = [[-half(blocks[place]), half(blocks[place])], ...reach];
    }
    let [least, most] = [Infinity, -Infinity];
    const longest = [];
    blocks.forEach((block, place) => {
      if (!shown[place]) return;
      if (block.parent !== null) centres[place] += centres[block.parent];
      least = Math.min(least, centres[place] - half(block));
      most = Math.max(most, centres[place] + half(block));
      const level = (longest[block.depth] ??= { box: 0, label: 0 });
      level.box = Math.max(level.box, along(block.box));
      level.label = Math.max(level.label, along(block.label));
    });

    const levels = [];
    let end = spacing.margin;
    for (const { box, label } of longest) {
      const start = levels.length
        ? levels.at(-1).joint + spacing.after[1] + label + spacing.after[2]
        : spacing.margin;
      levels.push({ start, joint: start + box + spacing.after[0] });
      end = start + box + spacing.margin;
    }
    const places = blocks.map((block, place) => {
      if (!shown[place]) return null;
      const centre = centres[place] - least + spacing.margin;
      const { start } = levels[block.depth];
      const label = Math.max(0, start - spacing.after[2] - along(block.label));
      const corner = (size, at) => point(centre - Math.floor(across(size) / 2), at);
      const found = { box: corner(block.box, start), label: corner(block.label, label), line: null };
      if (block.parent !== null) {
        const above = blocks[block.parent];
        const from = centres[block.parent] - least + spacing.margin;
        const { start: top, joint } = levels[above.depth];
        found.line = [
          [point(from, top + along(above.box)), point(from, joint), point(centre, joint), point(centre, label)],
          [point(centre, label + along(block.label)), point(centre, start)],
        ];
      }
      return found;
    });
    const corner = point(most - least + 2 * spacing.margin, end);
    return { places, width: corner.x, height: corner.y };
  }

  return { walk, arrange, columnOf };
})();
