// The page around the simulator: what is asked, what is shown.
import { ERP_KINDS, GUARD_NAMES, look, optionsOf, runSeed, shortestStory } from '../play.ts';
import { worldOf } from '../../campaign.ts';
import { inWords, named, WORDS } from './words.js';

const at = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

let language = navigator.language.startsWith('is') ? 'is' : 'en';
let answers = [];
let view = null;
let turn = 0;
const words = () => WORDS[language];
const chosen = () => optionsOf(at('erp').value, at('guard').value || null);

async function show() {
  const mine = ++turn;
  const seen = await look(chosen(), answers);
  if (mine !== turn) return;
  view = seen;
  draw();
}

function draw() {
  if (!view) return;
  const say = words();
  const double = view.entries.length > 1;
  at('board').replaceChildren(
    card(say.source, named(language, view.source)),
    ...view.replicas.map(({ name, state }) => card(`${say.replica} ${name}`, say[state])),
    card(
      say.record,
      named(language, view.record),
      view.attempt === 'none' ? '' : say.attempt + named(language, view.attempt),
    ),
    card(say.network, view.onItsWay === 0 ? say.nothing : '✉ '.repeat(view.onItsWay).trim()),
    books(say, double),
  );
  const isOver = view.choices.length === 0;
  at('verdict').replaceChildren(...(isOver ? [verdict(say, double)] : []));
  at('choices').replaceChildren(
    ...view.choices.map(({ label, isFault }, index) => {
      const className = isFault ? 'fault' : index === 0 ? 'first' : '';
      const button = make('button', className, inWords(language, label));
      button.onclick = () => {
        answers = [...answers, index];
        void show();
      };
      return button;
    }),
    ...(isOver ? [make('span', 'small', say.restful)] : []),
  );
  at('log').replaceChildren(...view.events.map(line));
  at('log').scrollTop = at('log').scrollHeight;
  at('undo').disabled = answers.length === 0;
  at('on').disabled = isOver;
  at('story').disabled = at('guard').value === '';
}

function card(title, big, small = '') {
  const element = make('div', 'card');
  element.append(make('h3', '', title), make('div', 'big', big));
  if (small) element.append(make('div', 'small', small));
  return element;
}

function books(say, double) {
  const element = make('div', double ? 'card bad' : 'card');
  element.append(make('h3', '', say.books));
  for (const { id, state } of view.entries)
    element.append(make('div', 'entry', `${id} · 1.240 kr. · ${named(language, state)}`));
  if (view.entries.length === 0) element.append(make('div', 'big', say.nothing));
  if (double) element.append(make('div', 'big', say.twice));
  return element;
}

function verdict(say, double) {
  const broken = view.broken.map((one) => inWords(language, one)).join(' ') || (double ? say.twice : '');
  return make('div', broken ? 'verdict bad' : 'verdict good', broken ? say.broken + broken : say.kept);
}

const FAULTS = /dies|asleep|lost|late|proxy|busy|refuses|nothing runs|deletes|edits|does nothing/;

function line(event) {
  const [, when, what] = /^\s*(\S+ s|\d+)\s+(.*)$/.exec(event) ?? [null, '', event];
  const className = what.startsWith('erp takes') ? 'books' : FAULTS.test(what) ? 'fault' : '';
  const element = make('li', className);
  element.append(
    make('time', '', /^\d{13}$/.test(when) ? clock(Number(when)) : when),
    make('span', '', inWords(language, what)),
  );
  return element;
}

const clock = (ms) => new Date(ms).toISOString().slice(8, 19).replace('T', ' ');

async function runOn() {
  for (let steps = 0; steps < 150 && view && view.choices.length > 0; steps++) {
    answers = [...answers, 0];
    await show();
  }
}

async function tellStory() {
  at('verdict').replaceChildren(make('div', 'verdict', words().searching));
  const story = await shortestStory(at('guard').value);
  if (!story) return;
  const taken = story.events.filter((event) => event.includes('erp takes'));
  turn++;
  view = { ...(view ?? {}), events: story.events, choices: [], broken: story.broken, replicas: [] };
  view.entries = taken.map((event, index) => ({ id: `e${index + 1}`, state: 'posted' }));
  view.onItsWay = 0;
  view.attempt = 'none';
  view.source = lastOf(story.events, /source \S+ = (\w+)/) ?? 'Created';
  view.record = lastOf(story.events, /→ (\w+) \(/) ?? 'discovered';
  draw();
}

function lastOf(events, pattern) {
  return events.flatMap((event) => pattern.exec(event)?.[1] ?? []).at(-1);
}

async function runOne() {
  const seed = Number(at('seed').value);
  at('result').textContent = words().running;
  at('run').disabled = true;
  await new Promise((resolve) => setTimeout(resolve, 30));
  const run = await runSeed(worldOf(seed));
  at('run').disabled = false;
  globalThis.lastRun = { digest: run.digest, broken: run.broken, events: run.trace.length };
  const isKept = run.broken.length === 0;
  const text = words().result(run) + (isKept ? words().keptAll : run.broken.join(' '));
  at('result').replaceChildren(make('div', isKept ? 'verdict good' : 'verdict bad', text));
  at('trace').replaceChildren(...run.trace.slice(0, 2_000).map(line));
}

function speak(next) {
  language = next;
  document.documentElement.lang = next;
  const say = words();
  for (const element of document.querySelectorAll('[data-say]'))
    element.textContent = say[element.dataset.say];
  for (const button of document.querySelectorAll('[data-language]'))
    button.setAttribute('aria-pressed', String(button.dataset.language === next));
  const [erp, guard] = [at('erp').value || 'look-up', at('guard').value];
  at('erp').replaceChildren(...ERP_KINDS.map((kind) => new Option(say.kinds[kind], kind)));
  at('guard').replaceChildren(
    new Option(say.allGuards, ''),
    ...GUARD_NAMES.map((one) => new Option(say.without + named(language, one), one)),
  );
  at('erp').value = erp;
  at('guard').value = guard;
  draw();
}

function begin() {
  answers = [];
  at('erp').disabled = at('guard').value !== '';
  if (at('guard').value !== '') at('erp').value = chosen().erp;
  void show();
}

for (const button of document.querySelectorAll('[data-language]'))
  button.onclick = () => speak(button.dataset.language);
at('erp').onchange = at('guard').onchange = at('restart').onclick = begin;
at('undo').onclick = () => {
  answers = answers.slice(0, -1);
  void show();
};
at('on').onclick = () => void runOn();
at('story').onclick = () => void tellStory();
at('run').onclick = () => void runOne();
speak(language);
begin();
