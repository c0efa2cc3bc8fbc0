// What the archive can do beyond being read: count down, search, replay. Without it every page still says everything.
"use strict";

(() => {
  const language = document.documentElement.lang;

  // --- how long until a deadline ---------------------------------------------------------------------------------

  const units = [["day", 86400], ["hour", 3600], ["minute", 60]];

  function untilThen(moment) {
    const seconds = (moment - Date.now()) / 1000;
    if (seconds < 60) return "";
    const [unit, size] = units.find(([, length]) => seconds >= length * (length === 86400 ? 2 : 1));
    return new Intl.RelativeTimeFormat(language, { numeric: "always" }).format(Math.round(seconds / size), unit);
  }

  function countDown() {
    for (const time of document.querySelectorAll("time[data-countdown]")) {
      const left = untilThen(Date.parse(time.dateTime));
      let shown = time.nextElementSibling;
      if (!shown || !shown.classList.contains("left")) {
        shown = document.createElement("span");
        shown.className = "left";
        time.after(shown);
      }
      shown.textContent = left && ` · ${left}`;
    }
  }

  countDown();
  setInterval(countDown, 60000);

  // --- search ------------------------------------------------------------------------------------------------------

  const LIGATURES = { "œ": "oe", "æ": "ae", "ø": "o", "ß": "ss", "ł": "l", "đ": "d" };

  const folded = (text) =>
    text.toLowerCase().replace(/[œæøßłđ]/g, (c) => LIGATURES[c]).normalize("NFKD").replace(/\p{M}/gu, "");

  const wordsOf = (text) =>
    [...new Set(folded(text).match(/[\p{L}\p{N}]+/gu) || [])]
      .filter((word) => word.length > 1 || /\d/.test(word))
      .map((word) => word.slice(0, 32));

  class Search {
    constructor(root) {
      this.root = root;
      this.chunks = Math.ceil(Number(root.dataset.count) / Number(root.dataset.size));
      this.form = root.querySelector("form");
      this.input = root.querySelector("input");
      this.status = root.querySelector(".status");
      this.list = root.querySelector(".results");
      this.files = new Map();
      this.form.addEventListener("submit", (event) => { event.preventDefault(); this.run(true); });
      this.input.addEventListener("input", () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.run(false), 200); });
      this.input.value = new URLSearchParams(location.search).get("q") || "";
      if (this.input.value) this.run(false);
    }

    file(name) {
      if (!this.files.has(name)) {
        this.files.set(name, fetch(this.root.dataset.base + name).then((answer) => {
          if (!answer.ok) throw new Error(name);
          return answer.json();
        }));
      }
      return this.files.get(name);
    }

    async run(keep) {
      const asked = this.input.value;
      if (keep) history.replaceState(null, "", `?q=${encodeURIComponent(asked)}`);
      const words = wordsOf(asked);
      try {
        const hits = words.length ? await this.find(words) : [];
        if (asked === this.input.value) await this.show(hits, words);
      } catch {
        this.status.textContent = this.root.dataset.failed;
      }
    }

    // The posts that hold every word, or one that begins so: [chunk, place], the latest first.
    async find(words) {
      const numbers = Array.from({ length: this.chunks }, (_, n) => this.chunks - n);
      const found = await Promise.all(numbers.map(async (n) => {
        const index = (await this.file(`search-${n}.json`)).words;
        const known = Object.keys(index);
        const sets = words.map((word) => new Set(known.filter((one) => one.startsWith(word)).flatMap((one) => index[one])));
        const places = [...sets[0]].filter((place) => sets.every((set) => set.has(place)));
        return places.sort((a, b) => b - a).map((place) => [n, place]);
      }));
      return found.flat();
    }

    async show(hits, words) {
      const shown = hits.slice(0, 100);
      const posts = await Promise.all(shown.map(async ([n, place]) => (await this.file(`posts-${n}.json`)).posts[place]));
      const said = this.root.dataset;
      const text = hits.length > 100 ? said.first : hits.length > 1 ? said.many : hits.length ? said.one : said.none;
      this.status.textContent = words.length ? text.replace("#", hits.length) : "";
      this.list.replaceChildren(...posts.map((post) => this.item(post, words)));
    }

    item(post, words) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `${this.root.dataset.base}post/${post.key}/`;
      const name = document.createElement("b");
      name.textContent = post.name;
      const when = document.createElement("span");
      when.className = "meta";
      when.textContent = ` ${post.shown}`;
      const words_ = document.createElement("p");
      words_.append(...this.marked(post.text, words));
      link.append(name);
      item.append(link, when, words_);
      return item;
    }

    // The text around the first hit, hits marked.
    marked(text, words) {
      const pieces = text.split(/([\p{L}\p{N}\p{M}]+)/u);
      const isHit = (piece) => words.some((word) => folded(piece).startsWith(word));
      const first = pieces.findIndex((piece, n) => n % 2 && isHit(piece));
      const from = Math.max(0, first - 24);
      const nodes = pieces.slice(from, from + 100).map((piece, n) => {
        if ((n + from) % 2 === 0 || !isHit(piece)) return document.createTextNode(piece);
        const mark = document.createElement("mark");
        mark.textContent = piece;
        return mark;
      });
      if (from > 0) nodes.unshift(document.createTextNode("… "));
      if (from + 100 < pieces.length) nodes.push(document.createTextNode(" …"));
      return nodes;
    }
  }

  const search = document.getElementById("search");
  if (search) new Search(search);

  // --- replay ------------------------------------------------------------------------------------------------------

  class Replay {
    constructor(root) {
      this.steps = [...root.querySelectorAll(".step")];
      this.tiles = [...root.querySelectorAll(".tile")];
      this.slider = root.querySelector("input");
      this.status = root.querySelector(".status");
      this.slider.addEventListener("input", () => this.show());
      for (const button of root.querySelectorAll("[data-go]")) {
        button.addEventListener("click", () => {
          this.slider.value = Number(this.slider.value) + Number(button.dataset.go);
          this.show();
        });
      }
      root.querySelector(".player").hidden = false;
      this.show();
    }

    show() {
      const now = this.steps[this.slider.value];
      const seats = (name) => new Set(now.dataset[name].split(" "));
      const gone = seats("gone");
      const fresh = seats("fresh");
      this.steps.forEach((step) => { step.hidden = step !== now; });
      for (const tile of this.tiles) {
        tile.classList.toggle("dead", gone.has(tile.dataset.seat));
        tile.classList.toggle("fresh", fresh.has(tile.dataset.seat));
      }
      const title = now.querySelector("h2").textContent;
      this.status.textContent = title;
      this.slider.setAttribute("aria-valuetext", title);
    }
  }

  const replay = document.getElementById("replay");
  if (replay) new Replay(replay);
})();
