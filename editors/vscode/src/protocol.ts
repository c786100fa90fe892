// What the daemon says beyond the language server protocol (docs/daemon.md).

/** The notification `heddle/status`. */
export interface Status {
    text: string;
    state: 'idle' | 'recording' | 'analysing';
    traces: number;
    races: number;
    atomicityViolations: number;
    deadlocks: number;
}

export interface Position {
    line: number;
    character: number;
}

export interface Place {
    uri: string;
    range: { start: Position; end: Position };
    line: number;
    function: string;
    operation: string;
    thread: string;
    locks: string[];
}

export type Kind = 'race' | 'atomicity' | 'deadlock';

/** One of the list that `heddle.findings` answers with. */
export interface ListedFinding {
    bug: string;
    kind: Kind;
    state: 'possible' | 'witnessed' | 'confirmed';
    /** The source has changed since the run: as of the last run. */
    stale?: boolean;
    /** Of atomicity violations: why accesses are taken to belong together, unless the run itself shows it. */
    intent?: 'marked' | 'inferred';
    headline: string;
    variable?: string;
    /** How many the bug is about, if it is not one: the elements of an array, say. */
    variables?: number;
    message: string;
    witness: boolean;
    trace: string;
    test: string;
    recorded?: number;
    places: Place[];
}

/** A step of a witness that is in a source file. */
export interface SourceStep {
    step: number;
    /** The same in both orders of the steps. */
    event: number;
    full_name: string;
    words: string;
    value?: string;
    marked: boolean;
    file: string;
    line: number;
    column: number;
}

/** What `heddle.showWitness` answers with; the rest of it is for the drawing. */
export interface Witness {
    bug: string;
    folder: string;
    headline: string;
    state: ListedFinding['state'];
    kind: Kind;
    witness: { story: { shown: number; rows: (SourceStep | { event?: never })[] } };
}

export const commands = {
    showWitness: 'heddle.showWitness',
    replay: 'heddle.replay',
    analyseNow: 'heddle.analyseNow',
    recordTests: 'heddle.recordTests',
    status: 'heddle.status',
    findings: 'heddle.findings',
} as const;

/** From the page of the panel to the extension. */
export type FromPage = { type: 'ready' } | { type: 'activate' | 'open'; step: SourceStep };
/** To the page: a witness to draw, or what has become of the one that is drawn. */
export type ToPage = { type: 'witness'; witness: Witness } | { type: 'state'; headline: string };
