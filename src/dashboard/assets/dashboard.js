// The little that pages need a script for: live numbers, counting time, keys, dialogs, charts. Everything else is a link or
// a form. No eval, no inline anything: the content security policy forbids both.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const { body } = document;
  const units = JSON.parse(body.dataset.units ?? '{}');
  const words = JSON.parse(body.dataset.words ?? '{}');

  // Moments count on by themselves, as src/dashboard/language/format.ts writes them.
  function span(ms) {
    if (ms < 60_000) return `${Math.floor(ms / 1_000)} ${units.s}`;
    if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} ${units.min}`;
    if (ms < 172_800_000) return `${Math.floor(ms / 3_600_000)} ${units.h}`;
    return `${Math.floor(ms / 86_400_000)} ${units.d}`;
  }
  function countOn() {
    const now = Date.now();
    for (const time of all('time[data-relative]')) {
      const ms = now - Date.parse(time.dateTime);
      if (Math.abs(ms) < 1_000) time.textContent = units.now;
      else time.textContent = (ms > 0 ? units.ago : units.ahead).replace('#', span(Math.abs(ms)));
    }
    for (const time of all('time[data-age]'))
      time.textContent = span(Math.max(0, now - Date.parse(time.dateTime)));
  }
  setInterval(countOn, 5_000);

  // Live numbers change in place and are marked for a moment; lists only say that they have changed.
  const sign = one('#live');
  function showLive(state, word) {
    if (!sign) return;
    sign.dataset.state = state;
    one('.live-word', sign).textContent = word;
    const stale = one('#stale');
    if (stale) stale.hidden = state !== 'lost';
  }
  let firstMark = null;
  let lostTimer = null;
  let events = null;
  let heardAt = Date.now();
  // The bridge says something every ten seconds; a line that is silent for longer is dead without knowing it.
  setInterval(() => Date.now() - heardAt > 20_000 && showLive('lost', words.notLive), 2_000);
  function listen() {
    if (!sign || !window.EventSource) return;
    events = new EventSource('/events');
    events.addEventListener('numbers', ({ data }) => {
      clearTimeout(lostTimer);
      lostTimer = null;
      heardAt = Date.now();
      showLive('live', words.live);
      const { values, mark } = JSON.parse(data);
      for (const place of all('[data-live]')) {
        const value = values[place.dataset.live];
        if (value === undefined || place.textContent === value) continue;
        place.textContent = value;
        if (place.classList.contains('badge')) place.classList.toggle('zero', value === '0');
        place.classList.add('changed');
        setTimeout(() => place.classList.remove('changed'), 2_000);
      }
      const seen = one('[data-seen-at]');
      if (seen) seen.textContent = clock(new Date(), { second: '2-digit' });
      firstMark ??= mark;
      const changed = one('#changed');
      if (changed && one('[data-watches]') && mark !== firstMark) changed.hidden = false;
    });
    events.addEventListener('signed-out', () => {
      events.close();
      showLive('lost', words.signedOut);
    });
    events.addEventListener('error', () => {
      // Where the bridge answered with an error the line is closed for good: it is opened anew.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 5_000);
      lostTimer ??= setTimeout(() => showLive('lost', words.notLive), 3_000);
    });
  }
  window.addEventListener('pagehide', () => events?.close());
  window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  listen();

  // Dialogs: what the server sends into #dialog opens; Escape, a click outside or [data-close] closes.
  const dialog = one('#dialog');
  document.addEventListener('htmx:afterSwap', ({ detail }) => {
    if (detail.target === dialog && !dialog.open) dialog.showModal();
    countOn();
    drawCharts();
  });
  document.addEventListener('htmx:afterRequest', ({ detail }) => {
    if (detail.failed && !detail.xhr?.status) showLive('lost', words.notLive);
  });
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    if (target instanceof HTMLDialogElement) target.close();
    if (target.closest('[data-close]')) target.closest('dialog')?.close();
    const copy = target.closest('[data-copy]');
    if (copy) copyText(copy);
    const menu = target.closest('[data-menu]');
    const side = one('#menu');
    const open = menu ? side.classList.toggle('open') : false;
    if (!menu && !target.closest('#menu')) side?.classList.remove('open');
    one('[data-menu]')?.setAttribute('aria-expanded', String(open));
  });
  async function copyText(button) {
    const text = button.dataset.copy === '@url' ? location.href : button.dataset.copy;
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    const before = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = before), 1_500);
  }
  document.addEventListener('change', ({ target }) => {
    if (target.matches('[data-submit]')) target.form.requestSubmit();
    if (target.matches('[data-choose-all]'))
      for (const box of all('input[name="id"]')) box.checked = target.checked;
    if (target.matches('[data-choose-all], input[name="id"]')) showChosen();
  });
  function showChosen() {
    const bar = one('#chosen');
    if (!bar) return;
    const chosen = all('input[name="id"]:checked').length;
    bar.hidden = chosen === 0;
    one('[data-count]', bar).textContent = String(chosen);
  }
  showChosen();

  // Keys. Nothing happens while somebody writes or a dialog is open.
  let row = -1;
  let prefix = '';
  const rows = () => all('[data-href]');
  function stepTo(next) {
    const list = rows();
    if (list.length === 0) return;
    row = Math.min(Math.max(next, 0), list.length - 1);
    for (const [index, item] of list.entries()) item.classList.toggle('here', index === row);
    list[row].scrollIntoView({ block: 'nearest' });
  }
  const go = {
    ...{ o: '/', p: '/problems', d: '/documents', i: '/inbox', n: '/incidents', l: '/plan', t: '/tenants' },
    ...{ a: '/audit', r: '/reconciliation', v: '/vat', s: '/schedules', m: '/account' },
  };
  const press = {
    '/': () => one('#search')?.focus(),
    '?': () => one('#keys')?.showModal(),
    j: () => stepTo(row + 1),
    k: () => stepTo(row - 1),
    Enter: () => rows()[row] && (location.href = rows()[row].dataset.href),
    x: () => rows()[row] && one('input[name="id"]', rows()[row])?.click(),
    r: () =>
      (
        (row >= 0 && one('[data-key-r]', rows()[row])) ||
        one('#chosen:not([hidden]) [data-key-r], main > * [data-key-r-page]')
      )?.click(),
  };
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape' && target.matches('input, textarea')) target.blur();
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, textarea, select')) return;
    if (one('dialog[open]')) return;
    if (key === 'Enter' && target.matches('a, button, summary')) return;
    const act = prefix === 'g' ? go[key] && (() => (location.href = go[key])) : press[key];
    prefix = key === 'g' && prefix !== 'g' ? 'g' : '';
    if (!act) return;
    event.preventDefault();
    act();
  });

  // Charts: stacked bars by outcome. Colours come from the style sheet, so both themes fit.
  const colours = { posted: '--posted', parked: '--needs', rejected: '--failed', skipped: '--waiting' };
  function drawCharts() {
    if (!window.uPlot) return;
    for (const place of all('[data-chart]:not([data-drawn])')) {
      place.dataset.drawn = '';
      drawChart(place, JSON.parse(place.dataset.chart));
    }
  }
  const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, '.');
  // By the clocks that the rest of the page goes by, whatever those of the browser say.
  const clock = (date, more = {}) =>
    new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: body.dataset.zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      ...more,
    }).format(date);
  const hour = (seconds) => clock(new Date(seconds * 1000));
  // Lengths of time that people count in, so that each tick is what stands at it.
  const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
  const LENGTHS = [
    ...[0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 15, 20, 30],
    ...[1, 2, 3, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE),
    ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((days) => days * DAY),
  ];
  const COUNTS = Array.from({ length: 24 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3));
  /** In the largest unit of which it is a whole number. */
  function length(seconds) {
    if (seconds % MINUTE !== 0 || seconds === 0)
      return `${String(Math.round(seconds * 10) / 10).replace('.', ',')} ${units.s}`;
    if (seconds % HOUR !== 0) return `${seconds / MINUTE} ${units.min}`;
    return seconds % DAY === 0 ? `${seconds / DAY} ${units.d}` : `${seconds / HOUR} ${units.h}`;
  }
  function drawChart(place, { at, series, lines }) {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const line = colour('--line');
    const axis = {
      stroke: colour('--ink-2'),
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line },
      font: '11px system-ui',
    };
    const step = at[1] - at[0];
    const [drawn, data] = series ? stacked(series, at, colour) : separate(lines, colour);
    const options = {
      width: place.clientWidth,
      height: 200,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), body.dataset.zone),
      legend: { live: false },
      cursor: { y: false, drag: { setScale: false } },
      scales: {
        x: { range: (_, min, max) => [min - step * 0.7, max + step * 0.7] },
        y: { range: (_, __, max) => [0, Math.max(series ? 4 : 1, max * 1.1)] },
      },
      axes: [
        { ...axis, grid: { show: false }, values: (_, ticks) => ticks.map(hour) },
        {
          ...{ ...axis, size: 56, incrs: series ? COUNTS : LENGTHS },
          values: (_, ticks) => ticks.map(series ? number : length),
        },
      ],
      series: [{}, ...drawn],
    };
    const plot = new uPlot(options, [at, ...data], place);
    new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: 200 })).observe(place);
  }
  // The last series is drawn first and highest, so that the others stand before it.
  function stacked(series, at, colour) {
    const paths = uPlot.paths.bars({ size: [0.7, 40] });
    const sum = (index, place) =>
      series.slice(0, index + 1).reduce((so, { values }) => so + values[place], 0);
    const data = series.map(({ values }, index) =>
      at.map((_, place) => (values[place] === 0 ? null : sum(index, place))),
    );
    const drawn = series.map(({ name, label }) => {
      const paint = colour(colours[name]);
      return { label, stroke: paint, fill: paint, paths, points: { show: false } };
    });
    return [drawn.reverse(), data.reverse()];
  }
  // Told apart by dashes as well as by colour.
  function separate(lines, colour) {
    const paints = ['--working', '--unknown', '--needs', '--posted', '--failed', '--waiting'];
    const drawn = lines.map(({ label }, index) => ({
      label,
      stroke: colour(paints[index % paints.length]),
      width: 2,
      dash: index === 0 ? [] : [2 + index * 3, 3],
      points: { show: true, size: 6 },
    }));
    return [drawn, lines.map(({ values }) => values)];
  }
  drawCharts();
})();
