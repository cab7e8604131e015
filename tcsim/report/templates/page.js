"use strict";
(() => {
  const root = document.documentElement;
  const all = (query, within) => Array.from((within || document).querySelectorAll(query));
  root.classList.add("scripted");

  // light or dark: as the system has it, until somebody chooses; a choice holds for the other reports, too
  const remembered = (theme) => {
    try {
      if (theme) { localStorage.setItem("tcsim-theme", theme); }
      return localStorage.getItem("tcsim-theme");
    } catch { return null; } // a browser that keeps nothing
  };
  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") { root.dataset.theme = chosen; }
  document.getElementById("theme").addEventListener("click", () => {
    const night = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme || (night ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    remembered(root.dataset.theme);
  });

  // sorting: numbers from large to small first, words from A on; what has no number comes last either way
  const words = new Intl.Collator(root.lang, { numeric: true });
  const sorter = (table, heads, index) => {
    const numeric = heads[index].classList.contains("n");
    const keyOf = (row) => {
      const cell = row.cells[index];
      return numeric ? ("v" in cell.dataset ? Number(cell.dataset.v) : NaN) : cell.textContent.trim();
    };
    const compare = (x, y, down) => {
      if (numeric && (Number.isNaN(x) || Number.isNaN(y))) { return Number.isNaN(x) - Number.isNaN(y); }
      return (numeric ? x - y : words.compare(x, y)) * (down ? -1 : 1);
    };
    return () => {
      const before = heads[index].getAttribute("aria-sort");
      const down = before === "none" ? numeric : before === "ascending";
      for (const head of heads) { head.setAttribute("aria-sort", "none"); }
      heads[index].setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = table.tBodies[0];
      const rows = Array.from(body.rows, (row) => [keyOf(row), row]);
      rows.sort((a, b) => compare(a[0], b[0], down));
      body.append(...rows.map((one) => one[1]));
    };
  };
  for (const table of all("table.sortable")) {
    const heads = all("thead tr:last-child th", table);
    heads.forEach((head, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", sorter(table, heads, index));
    });
  }

  // filters: a row is shown if it has every tag that is chosen for its section, and the words sought in its table
  const sections = new Set(all("[data-search], [data-filter]").map((one) => one.closest("section")));
  for (const section of sections) {
    const selects = all("select[data-filter]", section);
    const tables = all("table", section).map((table) => {
      const name = table.id.slice(2);
      return {
        rows: Array.from(table.tBodies[0].rows, (row) => [row, row.textContent.toLowerCase()]),
        field: section.querySelector('input[data-search="' + name + '"]'),
        count: section.querySelector('output[data-count="' + name + '"]'),
      };
    });
    const update = () => {
      const wanted = selects.filter((one) => one.value);
      const fits = (row) => wanted.every((one) => !(one.dataset.filter in row.dataset)
        || row.dataset[one.dataset.filter].split(" ").includes(one.value));
      for (const { rows, field, count } of tables) {
        const sought = field ? field.value.trim().toLowerCase() : "";
        let shown = 0;
        for (const [row, text] of rows) {
          row.hidden = !(fits(row) && text.includes(sought));
          shown += row.hidden ? 0 : 1;
        }
        if (count) { count.textContent = (shown === 1 ? count.dataset.one : count.dataset.many).replace("{n}", shown); }
      }
    };
    section.addEventListener("input", update);
    update(); // a browser that goes back fills the fields again
  }

  // paper has nothing to click: all that is folded is printed
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    for (const one of folded) { one.open = true; }
  });
  window.addEventListener("afterprint", () => {
    for (const one of folded) { one.open = false; }
  });
})();
