// What the drawing of a witness needs to know of it: which locks are held where, and what is said of a step.
//
// The types are those of `heddle witness --format json` (docs/command-line.md).

/**
 * @typedef {{ thread_id: number, short_name: string, full_name: string }} Named "T2", "T2 teller"
 * @typedef {Named & { step: number, event: number, op: string, words: string, value?: string,
 *   held: string[], held_after: string[], marked: boolean, taken: boolean, place?: string, file?: string, line?: number, column?: number,
 *   function?: string }} Step
 * @typedef {{ left_out: (Named & { events: number, held_after: string[] })[], others: number }} Gap
 * @typedef {{ name: string, shared: boolean }} Lock
 * @typedef {Named & { before: number, forked_by?: number, held_before: Lock[], held_at_end: Lock[] }} Thread
 * @typedef {{ threads: Thread[], rows: (Step | Gap)[], shown: number }} Story
 * @typedef {{ kind: 'race' | 'atomicity' | 'deadlock', variable?: string, witness: { story: Story, observed?: Story } }} Finding
 */

/** @param {Step | Gap} row @returns {row is Step} */
export const isStep = (row) => 'step' in row;

/** @param {string} path */
const baseName = (path) => path.slice(path.lastIndexOf('/') + 1);

/** @param {Step} step */
export const hasSource = (step) => Boolean(step.file && step.line);

/**
 * "bank.cpp:15", or ":15" after a step in the same file, or what is known: "libstdc++".
 * @param {Step} step @param {Step} [before] @returns {string}
 */
export function placeWords(step, before) {
    if (hasSource(step)) return `${before?.file === step.file ? '' : baseName(step.file ?? '')}:${step.line}`;
    if (!step.place) return '';
    const [where, module] = step.place.split('@');
    return baseName(module ?? where ?? '').replace(/(\.so[.\d]*)?(\+0x[\da-f]+)?$/, '');
}

/** @param {Step} step */
export const operationWords = (step) => (step.value ? `${step.words} ${step.value}` : step.words);

/**
 * The bars of the picture: what each lane holds once a row is over, and what begins and ends in that row.
 * @param {Story} story
 * @returns {{ held: string[], begins: string[], ends: string[] }[][]} by row, then by lane
 */
export function heldSpans(story) {
    const now = story.threads.map((thread) => thread.held_before.map((lock) => lock.name));
    return story.rows.map((_, at) =>
        story.threads.map((thread, lane) => {
            const before = now[lane] ?? [];
            const held = heldAfter(story.rows[at], thread) ?? before;
            now[lane] = held;
            return {
                held,
                begins: held.filter((lock) => !before.includes(lock)),
                ends: before.filter((lock) => !held.includes(lock)),
            };
        }),
    );
}

/** @param {Story} story Each lock keeps its place in a lane, however many are held there. */
export function lockSlots(story) {
    const spans = heldSpans(story);
    return story.threads.map((thread, lane) => {
        const names = [
            ...thread.held_before.map((lock) => lock.name),
            ...spans.flatMap((row) => row[lane]?.held ?? []),
        ];
        return new Map([...new Set(names)].map((name, slot) => [name, slot]));
    });
}

/**
 * How many lanes the words of a step may take, by row and lane: its own, and those to its right in which no lock is held
 * there, as nothing but a thread's line is drawn in them.
 * @param {Story} story
 */
export function laneRoom(story) {
    return heldSpans(story).map((row) =>
        row.map((_, lane) => {
            const next = row.findIndex(({ held, ends }, other) => other > lane && held.length + ends.length > 0);
            return (next < 0 ? row.length : next) - lane;
        }),
    );
}

const shortest = 8; // letters: how little a lane asks for
const longest = 30;
const narrowest = 10; // letters: less is no longer read
const heavier = 1.3; // the conflict is in bold, and not to be broken

/**
 * What part of the width each lane asks for, and what it needs at least: letters, of the longest words that are in it.
 * @param {Story} story
 */
export function laneShares(story) {
    const room = laneRoom(story);
    return story.threads.map((thread, lane) => {
        const lengths = story.rows.map((row, at) => {
            if (!isStep(row) || row.thread_id !== thread.thread_id) return 0;
            const width = operationWords(row).length * (row.marked ? heavier : 1);
            return width / (room[at]?.[lane] ?? 1);
        });
        const share = Math.round(Math.min(Math.max(shortest, ...lengths), longest));
        return { share, least: Math.min(share, narrowest) };
    });
}

/**
 * At which row each lane begins: that of the fork of its thread, or -1 when that is none of the rows.
 * @param {Story} story
 */
export const beginnings = (story) =>
    story.threads.map((thread) => story.rows.findIndex((row) => isStep(row) && row.event === thread.forked_by));

/**
 * What a row leaves a thread with; nothing is said when it is not about that thread.
 * @param {Step | Gap | undefined} row @param {Thread} thread
 */
function heldAfter(row, thread) {
    if (!row) return undefined;
    return (isStep(row) ? [row] : row.left_out).find((one) => one.thread_id === thread.thread_id)?.held_after;
}

/** @param {string[]} names "T1, T2 and T3" */
const listed = (names) => names.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** @param {Finding} finding What the picture shows, in a sentence. */
export function moral(finding) {
    const marked = finding.witness.story.rows.filter(isStep).filter((step) => step.marked);
    const threads = listed([...new Set(marked.map((step) => step.short_name))]);
    if (finding.kind === 'deadlock') return `${threads} wait for each other: none of them can go on.`;
    if (finding.kind === 'atomicity') {
        const [first, middle] = marked;
        if (!first || !middle) return '';
        return `${middle.short_name} comes between two accesses of ${first.short_name} that belong together.`;
    }
    return `${threads} get to '${finding.variable ?? ''}' at the same moment: nothing orders these accesses.`;
}

/** @param {Step} step @param {number} of */
export function spokenStep(step, of) {
    const where = hasSource(step) ? `, ${baseName(step.file ?? '')} line ${step.line}` : '';
    const held = step.held_after.length > 0 ? `, holding ${step.held_after.join(' and ')}` : '';
    const marked = step.marked ? ', part of the finding' : '';
    const standing = step.taken ? '' : ', about to happen';
    return `Step ${step.step} of ${of}, thread ${step.full_name}: ${operationWords(step)}${where}${held}${marked}${standing}`;
}
