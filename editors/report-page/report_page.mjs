// The page of `heddle analyze --format html`: findings by file, a filter, and for each its places in the source, the drawing
// of its witness and how to see it again. What is not open is not drawn, so that many findings cost little.
import { drawWitness } from '../witness-view/witness_view.mjs';

/**
 * @typedef {{ op: string, file?: string, line?: number, function?: string, place?: string, thread: string, locks: { name: string }[],
 *   operation?: string }} Access
 * @typedef {Parameters<typeof drawWitness>[1] & { id: number, headline: string, verdict: string, why?: string, accesses: Access[],
 *   fingerprint: string }} Finding
 * @typedef {{ file: string, events?: number, error?: string, findings?: Finding[], suppressed?: number }} Report
 * @typedef {{ reports: Report[], sources: Record<string, Record<string, string>> }} Data
 */

const context = 3; // lines of source around a place

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

/** @param {Access} access */
const whereWords = (access) =>
    access.file && access.line ? `${access.file}:${access.line}` : (access.place ?? 'place unknown');

/** @param {Access} access */
function holding(access) {
    const names = access.locks.map((lock) => lock.name);
    return names.length > 0 ? `holding ${names.join(', ')}` : 'holding nothing';
}

/** @param {Access} access The lines around it, its own marked. */
function excerpt(access) {
    const lines = sources[access.file ?? ''];
    const at = access.line ?? 0;
    const title = `${access.operation ?? access.op} in ${access.function || 'unknown'}, thread ${access.thread}, ${holding(access)}`;
    const figure = make(
        'figure',
        'excerpt',
        make('figcaption', '', title, make('br', ''), make('code', '', whereWords(access))),
    );
    if (!lines?.[at]) return figure;
    const text = make('pre', '');
    text.tabIndex = 0;
    text.setAttribute('aria-label', `source around ${whereWords(access)}`);
    for (let number = at - context; number <= at + context; ++number) {
        if (lines[number] === undefined) continue;
        const line = `${String(number).padStart(5)}  ${lines[number]}\n`;
        text.append(number === at ? make('mark', '', line) : line);
    }
    figure.append(text);
    return figure;
}

/** @param {Finding} finding @param {Report} report */
function reproduce(finding, report) {
    const command = make('code', '', `heddle witness ${report.file} ${finding.id}`);
    return make(
        'p',
        'reproduce',
        'To see it in a terminal: ',
        command,
        make('br', ''),
        `Fingerprint ${finding.fingerprint}`,
    );
}

/** @param {Finding} finding @param {Report} report @param {HTMLElement} details */
function fill(finding, report, details) {
    const body = make('div', 'body', make('div', 'places', ...finding.accesses.map(excerpt)));
    if (finding.witness) {
        const drawing = make('div', 'drawing');
        body.append(drawing);
        drawWitness(drawing, finding, { label: `Schedule of ${finding.headline}` });
    } else if (finding.why) {
        body.append(make('p', '', `No schedule was found that leads there: ${finding.why}`));
    }
    body.append(reproduce(finding, report));
    details.append(body);
}

/** @param {Finding} finding @param {Report} report */
function entry(finding, report) {
    const badge = make('span', `badge ${finding.verdict}`, finding.verdict);
    const where = make(
        'span',
        'where',
        finding.accesses.map((access) => whereWords(access).replace(/^.*\//, '')).join(' ↔ '),
    );
    const details = make('details', 'finding', make('summary', '', badge, make('strong', '', finding.headline), where));
    let filled = false;
    details.addEventListener('toggle', () => {
        if (details.open && !filled) fill(finding, report, details);
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

const entries = reports.flatMap((report) => (report.findings ?? []).map((finding) => entry(finding, report)));

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
    const runs = reports.map((report) => {
        const about = report.error ?? `${(report.events ?? 0).toLocaleString('en')} events`;
        const hidden = report.suppressed ? `, ${report.suppressed} not shown` : '';
        return make('span', 'run', make('code', '', report.file), ` ${about}${hidden}`);
    });
    byId('runs').replaceChildren(...runs);
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
