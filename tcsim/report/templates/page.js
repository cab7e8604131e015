"use strict";
(() => {
  const root = document.documentElement;
  const all = (query, within) => Array.from((within || document).querySelectorAll(query));
  root.classList.add("scripted");

  document.getElementById("theme").addEventListener("click", () => {
    const night = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme || (night ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  const valueOf = (row, index) => {
    const cell = row.cells[index];
    return "v" in cell.dataset ? Number(cell.dataset.v) : cell.textContent.trim();
  };
  for (const table of all("table.sortable")) {
    const heads = all("thead tr:last-child th", table);
    heads.forEach((head, index) => {
      const sort = () => {
        const down = head.getAttribute("aria-sort") !== "descending" && head.classList.contains("n")
          || head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = Array.from(table.tBodies[0].rows);
        rows.sort((a, b) => {
          const x = valueOf(a, index), y = valueOf(b, index);
          const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
          return down ? -order : order;
        });
        table.tBodies[0].append(...rows);
      };
      head.tabIndex = 0;
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
      });
    });
  }

  for (const field of all("input[data-search]")) {
    const rows = all("#t-" + field.dataset.search + " tbody tr");
    const count = document.querySelector('output[data-count="' + field.dataset.search + '"]');
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = (shown === 1 ? count.dataset.one : count.dataset.many).replace("{n}", shown);
    });
  }

  const selects = all("select[data-filter]");
  const filter = (section) => {
    const wanted = all("select[data-filter]", section).filter((one) => one.value);
    for (const row of all("tbody tr", section)) {
      row.hidden = wanted.some((one) => one.dataset.filter in row.dataset
        && !row.dataset[one.dataset.filter].split(" ").includes(one.value));
    }
  };
  for (const select of selects) {
    select.addEventListener("change", () => filter(select.closest("section")));
  }
})();
