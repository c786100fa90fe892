// Draws a witness: one lane a thread, time from top to bottom, locks as bars where they are held, the events of the
// finding marked. Takes what `heddle witness --format json` prints and `heddle.showWitness` answers (docs/command-line.md).
//
// Used by the panel of VS Code and by the page of `heddle analyze --format html`, so it knows neither: no
// network, no storage, no inline styles or handlers (a strict content security policy is enough), and colours come from
// the custom properties of witness_view.css.

import {
    beginnings,
    hasSource,
    heldSpans,
    isStep,
    laneRoom,
    laneShares,
    lockSlots,
    moral,
    operationWords,
    placeWords,
    spokenStep,
} from './witness_story.mjs';

/**
 * @typedef {import('./witness_story.mjs').Step} Step
 * @typedef {import('./witness_story.mjs').Gap} Gap
 * @typedef {import('./witness_story.mjs').Story} Story
 * @typedef {import('./witness_story.mjs').Finding} Finding
 * @typedef {{ onActivate?: (step: Step) => void, onOpen?: (step: Step) => void, label?: string }} Options
 *   onActivate: a step became the current one; onOpen: the person wants to see its source
 */

const lockColours = 6; // of witness_view.css

/** @param {number} lane Its column in the grid: the first has the numbers of the steps. */
const column = (lane) => lane + 2;

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string} className @param {(Node | string)[]} children
 */
function element(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children);
    return made;
}

/** @param {string} text A long name may go on in the next line after what joins its parts. */
const breakable = (text) => text.split(/(?<=->|::|[._])/).flatMap((part) => [part, document.createElement('wbr')]);

let drawings = 0; // for ids that are unique in the page

/** @param {string} text @param {() => void} act @param {string} [label] when the text says too little */
function makeButton(text, act, label) {
    const button = element('button', 'wv-button', text);
    button.type = 'button';
    if (label) button.setAttribute('aria-label', label);
    button.addEventListener('click', act);
    return button;
}

class WitnessView {
    asPredicted = makeButton('Schedule that fails', () => this.showObserved(false));
    asRecorded = makeButton('As recorded', () => this.showObserved(true));
    slider = element('input', 'wv-slider');
    position = element('output', 'wv-position');
    head = element('div', 'wv-row wv-head');
    lanes = element('div', 'wv-lanes');
    moral = element('p', 'wv-moral');
    /** @type {HTMLElement[]} over each lane: what its thread holds */
    heads = [];
    /** @type {HTMLElement[]} steps and gaps */
    drawn = [];
    /** @type {Map<string, number>[]} by lane: where the bar of a lock is */
    slots = [];
    /** @type {Map<number, HTMLElement>} by the number of the step */
    rows = new Map();
    current = 1;

    /** @param {HTMLElement} container @param {Finding} finding @param {Options} options */
    constructor(container, finding, options) {
        this.finding = finding;
        this.options = options;
        this.id = `witness-${++drawings}`;
        /** @type {Story} */
        this.story = finding.witness.story;
        this.colours = this.#lockColours();
        const top = element('div', 'wv-top', this.#controls(), this.#legend(), this.head);
        this.root = element('section', 'wv', this.moral, top, this.#lanes());
        this.root.setAttribute('aria-label', options.label ?? 'Witness schedule');
        container.replaceChildren(this.root);
        this.#drawStory();
        this.activate(this.story.shown, { quiet: true });
    }

    // ---- what others may call

    /** @param {number} step from 1 @param {{ quiet?: boolean }} how */
    activate(step, { quiet = false } = {}) {
        this.current = Math.max(1, Math.min(this.story.shown, step));
        const now = this.#stepOf(this.current);
        if (!now) return;
        for (const [number, row] of this.rows) {
            row.setAttribute('aria-selected', String(number === this.current));
        }
        const row = this.rows.get(this.current);
        let later = false;
        for (const drawn of this.drawn) {
            drawn.classList.toggle('wv-later', later);
            later ||= drawn === row;
        }
        this.lanes.setAttribute('aria-activedescendant', row?.id ?? '');
        row?.querySelector('.wv-box')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        this.slider.value = String(this.current);
        this.slider.setAttribute('aria-valuetext', spokenStep(now, this.story.shown));
        this.position.textContent = `${this.current}/${this.story.shown}`;
        this.#tellHolders();
        if (!quiet) this.options.onActivate?.(now);
    }

    /** @param {boolean} observed in the order of the recorded run, or in that which leads to the bug */
    showObserved(observed) {
        const event = this.#stepOf(this.current)?.event;
        this.story = (observed && this.finding.witness.observed) || this.finding.witness.story;
        this.#check(observed);
        this.#drawStory();
        const same = this.story.rows.filter(isStep).find((step) => step.event === event);
        this.activate(same?.step ?? this.story.shown, { quiet: true });
    }

    /** Whether the order of the recorded run is shown. */
    get observed() {
        return this.story !== this.finding.witness.story;
    }

    focus() {
        this.lanes.focus();
    }

    // ---- drawing

    #lockColours() {
        const { story, observed } = this.finding.witness;
        const names = [story, ...(observed ? [observed] : [])].flatMap((one) => [
            ...one.threads.flatMap((thread) => thread.held_before.map((lock) => lock.name)),
            ...heldSpans(one)
                .flat()
                .flatMap((cell) => cell.held),
        ]);
        return new Map([...new Set(names)].map((name, i) => [name, (i % lockColours) + 1]));
    }

    #controls() {
        const orders = element('div', 'wv-orders', this.asPredicted, this.asRecorded);
        orders.setAttribute('role', 'radiogroup');
        orders.setAttribute('aria-label', 'Order of the steps');
        for (const one of [this.asPredicted, this.asRecorded]) one.setAttribute('role', 'radio');
        this.#check(false);
        orders.hidden = !this.finding.witness.observed;
        orders.addEventListener('keydown', (event) => {
            if (!event.key.startsWith('Arrow')) return;
            event.preventDefault();
            const observed = this.asRecorded.getAttribute('aria-checked') !== 'true';
            this.showObserved(observed);
            (observed ? this.asRecorded : this.asPredicted).focus();
        });

        this.slider.type = 'range';
        this.slider.min = '1';
        this.slider.setAttribute('aria-label', 'Step');
        this.slider.addEventListener('input', () => this.activate(Number(this.slider.value)));
        this.slider.addEventListener('keydown', (event) => event.key === 'Enter' && this.#open());
        const stepper = element(
            'div',
            'wv-stepper',
            makeButton('‹', () => this.activate(this.current - 1), 'Previous step'),
            this.slider,
            makeButton('›', () => this.activate(this.current + 1), 'Next step'),
            this.position,
        );
        return element('div', 'wv-controls', orders, stepper);
    }

    /** @param {boolean} observed which of the two orders is marked as chosen */
    #check(observed) {
        this.asRecorded.setAttribute('aria-checked', String(observed));
        this.asPredicted.setAttribute('aria-checked', String(!observed));
        this.asRecorded.tabIndex = observed ? 0 : -1;
        this.asPredicted.tabIndex = observed ? -1 : 0;
    }

    #legend() {
        const locks = [...this.colours].map(([name, colour]) =>
            element('span', 'wv-lock-name', element('span', `wv-swatch wv-lock-${colour}`), name),
        );
        const marked = element('span', 'wv-lock-name', element('span', 'wv-swatch wv-swatch-marked'), 'the conflict');
        const legend = element('p', 'wv-legend', ...(locks.length > 0 ? ['held: ', ...locks] : []), marked);
        return legend;
    }

    #lanes() {
        this.lanes.tabIndex = 0;
        this.lanes.setAttribute('role', 'listbox');
        this.lanes.setAttribute('aria-label', 'Steps in their order');
        this.lanes.addEventListener('keydown', (event) => this.#key(event));
        return this.lanes;
    }

    #drawStory() {
        const { threads, rows } = this.story;
        const lanes = laneShares(this.story).map(
            ({ share, least }) => `minmax(calc(var(--wv-margin) + ${0.6 * least}em), ${share}fr)`,
        );
        this.root.style.setProperty('--wv-columns', lanes.join(' '));
        this.slots = lockSlots(this.story);
        this.root.style.setProperty('--wv-slots', String(Math.max(1, ...this.slots.map((lane) => lane.size))));
        this.heads = threads.map(() => element('span', 'wv-holds'));
        this.head.replaceChildren(
            element('span', 'wv-number'),
            ...threads.map((thread, i) =>
                element('div', 'wv-thread', element('strong', '', thread.full_name), this.heads[i] ?? ''),
            ),
        );
        const spans = heldSpans(this.story);
        this.rows.clear();
        const room = laneRoom(this.story);
        /** @type {Step | undefined} */
        let before;
        const drawn = rows.map((row, at) => {
            if (!isStep(row)) return this.#gap(row, spans[at] ?? []);
            const made = [this.#step(row, spans[at] ?? [], room[at] ?? [], before)];
            before = row;
            return made;
        });
        this.drawn = [this.#before(), ...drawn.flat()];
        this.#beginLanes(drawn);
        this.lanes.replaceChildren(...this.drawn);
        this.slider.max = String(this.story.shown);
        this.moral.textContent = this.observed
            ? 'The recorded run took the same steps in this order; → is where the failing schedule has them.'
            : moral(this.finding);
        this.moral.classList.toggle('wv-moral-bad', !this.observed);
    }

    /** The row over the first: what the threads did as recorded, and what they hold from there on. */
    #before() {
        const { threads } = this.story;
        const cells = threads.map((thread, lane) => {
            const held = thread.held_before.map((lock) => lock.name);
            const cell = this.#cell(lane, { held, begins: [], ends: [] });
            if (thread.before > 0) cell.append(element('span', 'wv-gap', `… ${thread.before} as recorded`));
            return cell;
        });
        const made = this.#gapRow(...cells);
        made.hidden = threads.every((thread) => thread.before === 0 && thread.held_before.length === 0);
        return made;
    }

    /** No line of a thread's life before the fork. @param {HTMLElement[][]} drawn by row */
    #beginLanes(drawn) {
        beginnings(this.story).forEach((fork, lane) => {
            drawn.slice(0, fork + 1).forEach((elements, at) => {
                for (const one of elements)
                    one.querySelectorAll('.wv-cell')[lane]?.classList.add(at < fork ? 'wv-not-yet' : 'wv-forked');
            });
            if (fork >= 0) this.drawn[0]?.querySelectorAll('.wv-cell')[lane]?.classList.add('wv-not-yet');
        });
    }

    /**
     * @param {Step} row @param {ReturnType<typeof heldSpans>[number]} spans @param {number[]} room
     * @param {Step | undefined} before the step before it
     */
    #step(row, spans, room, before) {
        const { threads } = this.story;
        const cells = threads.map((_, lane) => this.#cell(lane, spans[lane]));
        const made = element('div', 'wv-row', element('span', 'wv-number', String(row.step)), ...cells);
        const lane = threads.findIndex((thread) => thread.thread_id === row.thread_id);
        const act = element('div', 'wv-act', this.#box(row, before));
        act.style.gridColumn = `${column(lane)} / span ${room[lane] ?? 1}`;
        made.append(act);
        made.id = `${this.id}-step-${row.step}`;
        made.setAttribute('role', 'option');
        made.setAttribute('aria-label', spokenStep(row, this.story.shown));
        made.classList.toggle('wv-marked', row.marked);
        made.classList.toggle('wv-standing', row.marked && !row.taken);
        made.addEventListener('click', () => {
            this.activate(row.step);
            this.#open();
        });
        this.rows.set(row.step, made);
        return made;
    }

    /** @param {Gap} gap @param {ReturnType<typeof heldSpans>[number]} spans What other threads did has a row of its own. */
    #gap(gap, spans) {
        const { threads } = this.story;
        const rows = [];
        if (gap.others > 0) {
            const words = element('div', 'wv-act', element('span', 'wv-gap', `… ${gap.others} of other threads`));
            words.style.gridColumn = `${column(0)} / -1`;
            const before = spans.map(({ held, begins, ends }) => ({
                held: [...held.filter((lock) => !begins.includes(lock)), ...ends],
                begins: [],
                ends: [],
            }));
            rows.push(this.#gapRow(...threads.map((_, lane) => this.#cell(lane, before[lane])), words));
        }
        if (gap.left_out.length > 0) rows.push(this.#gapRow(...this.#leftOut(gap, spans)));
        return rows;
    }

    /** @param {Gap} gap @param {ReturnType<typeof heldSpans>[number]} spans */
    #leftOut(gap, spans) {
        return this.story.threads.map((thread, lane) => {
            const cell = this.#cell(lane, spans[lane]);
            const part = gap.left_out.find((one) => one.thread_id === thread.thread_id);
            if (part) cell.append(element('span', 'wv-gap', `… ${part.events} ${part.events === 1 ? 'event' : 'events'}`));
            return cell;
        });
    }

    /** @param {HTMLElement[]} parts */
    #gapRow(...parts) {
        const made = element('div', 'wv-row wv-gap-row', element('span', 'wv-number'), ...parts);
        made.setAttribute('role', 'presentation');
        return made;
    }

    /** @param {number} lane @param {ReturnType<typeof heldSpans>[number][number] | undefined} locks */
    #cell(lane, locks) {
        const bars = [...(locks?.ends ?? []), ...(locks?.held ?? [])].map((name) => {
            const part = locks?.begins.includes(name) ? ' wv-begins' : locks?.ends.includes(name) ? ' wv-ends' : '';
            const bar = element('span', `wv-bar wv-lock-${this.colours.get(name) ?? 1}${part}`);
            bar.style.setProperty('--wv-bar', String(this.slots[lane]?.get(name) ?? 0));
            bar.title = `holds ${name}`;
            return bar;
        });
        const cell = element('div', 'wv-cell', ...bars);
        cell.style.gridColumn = String(column(lane));
        return cell;
    }

    /** @param {Step} step @param {Step | undefined} before */
    #box(step, before) {
        const place = element(
            'span',
            `wv-place${this.options.onOpen && hasSource(step) ? ' wv-link' : ''}`,
            placeWords(step, before),
        );
        const box = element('div', 'wv-box', element('span', 'wv-words', ...breakable(operationWords(step))), place);
        if (step.function) box.title = `${step.function}${step.file ? `, ${step.file}:${step.line}` : ''}`;
        if (this.observed) {
            const then = this.finding.witness.story.rows.filter(isStep).find((other) => other.event === step.event);
            if (then && then.step !== step.step) box.append(element('span', 'wv-moved', `→ ${then.step}`));
        }
        return box;
    }

    /** Over each lane: what its thread holds once the current step is over. */
    #tellHolders() {
        const at = this.story.rows.findIndex((row) => isStep(row) && row.step === this.current);
        const cells = heldSpans(this.story)[at] ?? [];
        this.heads.forEach((head, lane) => {
            const held = cells[lane]?.held ?? [];
            head.textContent = held.length > 0 ? `holds ${held.join(', ')}` : 'holds nothing';
            head.title = head.textContent;
            head.classList.toggle('wv-nothing', held.length === 0);
        });
    }

    // ---- doing

    /** @param {number} number */
    #stepOf(number) {
        return this.story.rows.filter(isStep).find((step) => step.step === number);
    }

    #open() {
        const step = this.#stepOf(this.current);
        if (step && hasSource(step)) this.options.onOpen?.(step);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        /** @type {Record<string, () => void>} */
        const keys = {
            ArrowDown: () => this.activate(this.current + 1),
            ArrowRight: () => this.activate(this.current + 1),
            ArrowUp: () => this.activate(this.current - 1),
            ArrowLeft: () => this.activate(this.current - 1),
            Home: () => this.activate(1),
            End: () => this.activate(this.story.shown),
            Enter: () => this.#open(),
        };
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    }
}

/**
 * Draws the finding's witness in place of what the container holds.
 * @param {HTMLElement} container @param {Finding} finding @param {Options} options
 */
export function drawWitness(container, finding, options = {}) {
    return new WitnessView(container, finding, options);
}
