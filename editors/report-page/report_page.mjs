// The page of `heddle analyze --format html`: findings by file, a filter, and for each its places in the source, the drawing
// of its witness and how to see it again. What is not open is not drawn, so that many findings cost little.
import { drawWitness } from '../witness-view/witness_view.mjs';

/**
 * @typedef {{ line: number, column: number, end_line: number, end_column: number }} Expression columns count bytes, from 1
 * @typedef {{ op: string, file?: string, line?: number, function?: string, place?: string, thread: string, thread_id: number,
 *   locks: { name: string }[], operation?: string, expression?: Expression }} Access
 * @typedef {Parameters<typeof drawWitness>[1] & { id: number, headline: string, verdict: string, why?: string, accesses: Access[],
 *   fingerprint: string, intent?: string, because?: string }} Finding intent and because: why accesses belong together
 * @typedef {{ file: string, command?: string[], events?: number, error?: string, findings?: Finding[], suppressed?: number,
 *   limits_reached?: string[] }} Report
 * @typedef {{ finding: Finding, reports: Report[] }} Found in the first of these reports, and again in the others
 * @typedef {{ reports: Report[], sources: Record<string, Record<string, string>> }} Data
 */

const context = 3; // lines of source around a place
const listedRuns = 4; // more are told by their number, unless something is to be said of one
const stepContext = 1; // around a step: they come along while the schedule is read

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** @type {Data} */
const { reports, sources } = JSON.parse(byId('data').textContent);

/**
 * @param {string} tag @param {string} className @param {(Node | string)[]} children
 * @returns {any}
 */
function make(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children);
    return made;
}

/** @param {number} count @param {string} one @param {string} many */
const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** @param {{ file?: string, line?: number, place?: string }} at */
const whereWords = (at) => (at.file && at.line ? `${at.file}:${at.line}` : (at.place ?? 'place unknown'));

/** @param {Access} access */
function holding(access) {
    const names = access.locks.map((lock) => lock.name);
    return names.length > 0 ? `holding ${names.join(', ')}` : 'holding nothing';
}

/** @param {string} text @param {Expression | undefined} expression The line with the expression marked, if it is all there. */
function withExpression(text, expression) {
    if (!expression || expression.line !== expression.end_line) return [text];
    const bytes = new TextEncoder().encode(text);
    const part = (/** @type {number} */ from, /** @type {number | undefined} */ to) =>
        new TextDecoder().decode(bytes.slice(from, to));
    const [first, end] = [expression.column - 1, expression.end_column - 1];
    return [part(0, first), make('span', 'expression', part(first, end)), part(end, undefined)];
}

/**
 * Lines of source with one marked, and the expression in it; nothing where the source is not known.
 * @param {{ file?: string, line?: number, expression?: Expression }} place @param {number} around
 */
function sourceLines(place, around) {
    const lines = sources[place.file ?? ''];
    const at = place.expression?.line ?? place.line ?? 0;
    if (!lines?.[at]) return undefined;
    const text = make('pre', '');
    text.tabIndex = 0; // long lines are scrolled by keys, too
    text.setAttribute('aria-label', `source around ${place.file}:${at}`);
    for (let number = at - around; number <= at + around; ++number) {
        const line = lines[number];
        if (line === undefined) continue;
        const margin = `${String(number).padStart(5)}  `;
        if (number === at) text.append(make('mark', '', margin, ...withExpression(line, place.expression), '\n'));
        else text.append(`${margin}${line}\n`);
    }
    return text;
}

/** @param {Finding} finding @param {Access} access "lock 'mu' in f, thread T2 teller, holding nothing" */
function accessWords(finding, access) {
    const thread = finding.witness?.story.threads.find((one) => one.thread_id === access.thread_id);
    const name = thread?.full_name ?? access.thread; // as over the lanes
    return `${access.operation ?? access.op} in ${access.function || 'unknown'}, thread ${name}, ${holding(access)}`;
}

/** @param {Finding} finding @param {Access[]} accesses All of one place: the lines around it, its own marked. */
function excerpt(finding, accesses) {
    const [first] = accesses;
    if (!first) return '';
    const words = accesses.flatMap((access) => [accessWords(finding, access), make('br', '')]);
    const caption = make('figcaption', '', ...words, make('code', '', whereWords(first)));
    return make('figure', 'excerpt', caption, sourceLines(first, context) ?? '');
}

/** @param {Finding} finding Each place once: threads that wait for each other often do so in the same line. */
function excerpts(finding) {
    /** @type {Map<string, Access[]>} */
    const places = new Map();
    for (const access of finding.accesses) {
        const place = JSON.stringify([whereWords(access), access.expression]);
        places.set(place, [...(places.get(place) ?? []), access]);
    }
    return [...places.values()].map((accesses) => excerpt(finding, accesses));
}

/**
 * The schedule, which is returned, and below it the source of its current step.
 * @param {HTMLElement} body @param {Finding} finding @param {string} label that no other schedule of the page has
 */
function addSchedule(body, finding, label) {
    const drawing = make('div', 'drawing');
    const source = make('figure', 'excerpt step-source');
    body.append(make('div', 'schedule', drawing, source));
    const view = drawWitness(drawing, finding, {
        label,
        onActivate: (step) => {
            const words = `${step.step} ${step.full_name}: ${step.words} `;
            const caption = make('figcaption', '', words, make('code', '', whereWords(step)));
            source.replaceChildren(caption, sourceLines(step, stepContext) ?? '');
        },
        onOpen: () => source.scrollIntoView({ block: 'nearest' }),
    });
    view.activate(view.current);
    return drawing;
}

/** @param {HTMLElement} drawing Moves its current step into view, in a narrow window, and not the page. */
function showCurrentLane(drawing) {
    const box = drawing.querySelector('[aria-selected=true] .wv-box');
    if (box) drawing.scrollLeft += Math.max(0, box.getBoundingClientRect().right - drawing.getBoundingClientRect().right);
}

/** @param {string} word As a shell takes it. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** @param {Found} found */
function reproduce({ finding, reports: [report, ...others] }) {
    const file = quoted(report?.file ?? '');
    const command = (/** @type {string} */ name, /** @type {string} */ why) =>
        make('li', '', make('code', '', `heddle ${name}`), ` ${why}`);
    const commands = make('ul', '', command(`witness ${file} ${finding.id}`, 'shows the schedule in a terminal'));
    if (finding.witness && report?.command?.length) {
        const program = report.command.map(quoted).join(' ');
        commands.prepend(command(`replay ${finding.id} ${file}`, `runs ${program} on this schedule: it happens`));
    }
    const parts = [make('h3', '', 'How to reproduce'), commands];
    if (others.length > 0)
        parts.push(make('p', '', 'Also in ', ...others.flatMap((one) => [make('code', '', one.file), ' '])));
    return make('div', 'reproduce', ...parts, make('p', '', `Fingerprint ${finding.fingerprint}`));
}

/** @param {Found} found @param {number} number of it in the page @param {HTMLElement} details */
function fill(found, number, details) {
    const { finding } = found;
    const body = make('div', 'body', make('div', 'places', ...excerpts(finding)));
    if (finding.because) body.append(make('p', '', `${finding.intent}: ${finding.because}`));
    const drawing = finding.witness
        ? addSchedule(body, finding, `Schedule of finding ${number}, ${finding.headline}`)
        : undefined;
    if (!drawing && finding.why) body.append(make('p', '', `No schedule was found that leads there: ${finding.why}`));
    body.append(reproduce(found));
    details.append(body);
    if (drawing) showCurrentLane(drawing);
}

/** @param {Found} found @param {number} at */
function entry(found, at) {
    const { finding } = found;
    const badge = make('span', `badge ${finding.verdict}`, finding.verdict);
    const where = make(
        'span',
        'where',
        finding.accesses.map((access) => whereWords(access).replace(/^.*\//, '')).join(' ↔ '),
    );
    const details = make('details', 'finding', make('summary', '', badge, make('strong', '', finding.headline), where));
    let filled = false;
    details.addEventListener('toggle', () => {
        if (details.open && !filled) fill(found, at + 1, details);
        filled ||= details.open;
    });
    const functions = finding.accesses.map((access) => access.function ?? '').join(' ');
    const text = `${finding.headline} ${where.textContent} ${functions}`.toLowerCase();
    return {
        details,
        text,
        kind: finding.kind,
        witnessed: Boolean(finding.witness),
        file: finding.accesses[0]?.file || 'elsewhere',
    };
}

/** A finding that several runs have is told once, by the first that has a schedule. */
function allFound() {
    /** @type {Map<string, Found>} */
    const all = new Map();
    for (const report of reports) {
        for (const finding of report.findings ?? []) {
            const key = [finding.fingerprint, ...finding.accesses.map(whereWords)].join('|');
            const known = all.get(key);
            if (!known) all.set(key, { finding, reports: [report] });
            else if (finding.witness && !known.finding.witness)
                all.set(key, { finding, reports: [report, ...known.reports] });
            else if (!known.reports.includes(report)) known.reports.push(report);
        }
    }
    return [...all.values()];
}

const entries = allFound().map(entry);

/** @type {Map<string, HTMLElement>} */
const files = new Map();
for (const { file, details } of entries) {
    if (!files.has(file)) files.set(file, make('section', 'file', make('h2', '', file)));
    files.get(file)?.append(details);
}
byId('findings').replaceChildren(...files.values());

function summarise() {
    const of = (/** @type {string} */ kind) => entries.filter((one) => one.kind === kind).length;
    byId('summary').textContent = [
        counted(of('race'), 'race', 'races'),
        counted(of('atomicity'), 'atomicity violation', 'atomicity violations'),
        counted(of('deadlock'), 'deadlock', 'deadlocks'),
    ].join(' · ');
    document.title = `Heddle: ${byId('summary').textContent}`;
    const listed = reports.map((report) => {
        const about = report.error ?? `${(report.events ?? 0).toLocaleString('en')} events`;
        const hidden = report.suppressed ? `, ${report.suppressed} not shown` : '';
        const limits = (report.limits_reached ?? []).map((limit) => `; ${limit}`).join('');
        const run = make('span', 'run', make('code', '', report.file), ` ${about}${hidden}${limits}`);
        return { run, special: Boolean(report.error || limits) };
    });
    const shown = listed.filter((one) => one.special || reports.length <= listedRuns);
    const folded = listed.filter((one) => !shown.includes(one));
    const elements = shown.map(({ run }) => run);
    if (folded.length > 0) {
        const events = reports.reduce((sum, report) => sum + (report.events ?? 0), 0);
        const words = `${counted(folded.length, 'run', 'runs')}, ${events.toLocaleString('en')} events`;
        elements.push(make('details', '', make('summary', '', words), ...folded.map(({ run }) => run)));
    }
    byId('runs').replaceChildren(...elements);
}

function filter() {
    /** @type {string[]} */
    const words = byId('words').value.toLowerCase().split(/\s+/).filter(Boolean);
    const kinds = new Set(
        [...document.querySelectorAll('[name=kind]:checked')].map((/** @type {any} */ box) => box.value),
    );
    const possible = byId('possible').checked;
    let shown = 0;
    for (const { details, text, kind, witnessed } of entries) {
        const fits = kinds.has(kind) && (witnessed || possible) && words.every((word) => text.includes(word));
        details.hidden = !fits;
        shown += fits ? 1 : 0;
    }
    for (const section of files.values()) section.hidden = !section.querySelector('details:not([hidden])');
    byId('shown').textContent = `${shown} of ${entries.length} shown`;
}

summarise();
filter();
byId('filter').addEventListener('input', filter);
byId('filter').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());
if (entries.length === 1) entries[0]?.details.setAttribute('open', '');
