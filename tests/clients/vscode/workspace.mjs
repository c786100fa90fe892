// Folders for tests: a source file whose lines race, the traces of its runs, and a home of the daemon's own, so that
// nothing of the person who runs the tests is touched.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export const heddle = process.env.HEDDLE;
if (!heddle) throw new Error('HEDDLE has to name the program that is to be tested');

const run = promisify(execFile);

export const bank = [
    'struct Account { long balance; };',
    'void deposit(Account &to) {',
    '    to.balance += 50;',
    '}',
    'void pay_bonus(Account &to) {',
    '    to.balance += 25;',
    '}',
    '',
].join('\n');

/** Where the two accesses of `bank` are: `to.balance`, lines and columns from zero, as the protocol counts them. */
export const depositLine = 2;
export const bonusLine = 5;
export const depositRange = {
    start: { line: depositLine, character: 4 },
    end: { line: depositLine, character: 14 },
};

/** A run of `bank` in the text format. When it is not `locked`, its deposits race. */
export function bankRun({ locked = false, file = 'bank.cpp', variable = 'account.balance' } = {}) {
    const access = (thread, place, value) => {
        const write = `${thread}|w(${variable})|${place}|=${value}`;
        return locked ? [`${thread}|acq(account.mu)|${place}`, write, `${thread}|rel(account.mu)|${place}`] : [write];
    };
    return [
        'T0|fork(T1)|main@main.cpp:1:1',
        'T0|fork(T2)|main@main.cpp:2:1',
        ...access('T1', `deposit@${file}:${depositLine + 1}:8`, 50),
        ...access('T2', `pay_bonus@${file}:${bonusLine + 1}:8`, 75),
        'T0|join(T1)|main@main.cpp:3:1',
        'T0|join(T2)|main@main.cpp:4:1',
        '',
    ].join('\n');
}

export class Workspace {
    #endings = [];

    /** Removed when the test `t` ends. */
    constructor(t) {
        this.home = mkdtempSync('/tmp/heddle-client-');
        t.after(async () => {
            for (const end of this.#endings.reverse()) await end();
            // A daemon that --connect started is nobody's child, and may still be writing its last line.
            rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
        });
        this.folder = path.join(this.home, 'work');
        this.traces = path.join(this.folder, '.heddle/traces');
        mkdirSync(this.traces, { recursive: true });
        this.environment = {
            PATH: process.env.PATH,
            HOME: this.home,
            TMPDIR: this.home,
            XDG_RUNTIME_DIR: this.home,
            ...(process.env.HEDDLE_RECORDER && { HEDDLE_RECORDER: process.env.HEDDLE_RECORDER }),
        };
        this.write('bank.cpp', bank);
    }

    /** Calls `end` before the folder is removed: whatever writes there has to have ended. */
    beforeRemoval(end) {
        this.#endings.push(end);
    }

    get socket() {
        return path.join(this.home, 'socket');
    }

    path(name) {
        return path.join(this.folder, name);
    }

    uri(name = '') {
        return pathToFileURL(this.path(name)).href.replace(/\/$/, '');
    }

    write(name, text) {
        mkdirSync(path.dirname(this.path(name)), { recursive: true });
        writeFileSync(this.path(name), text);
    }

    /** Puts a trace in its place at once, as the recorder of another test run may. */
    replaceTrace(name, text) {
        const beside = path.join(this.home, name);
        writeFileSync(beside, text);
        renameSync(beside, path.join(this.traces, name));
    }

    /** Runs heddle to its end; fails when that fails. */
    heddle(...words) {
        return this.run(heddle, ...words);
    }

    async run(program, ...words) {
        const { stdout } = await run(program, words, { cwd: this.folder, env: this.environment });
        return stdout;
    }
}
