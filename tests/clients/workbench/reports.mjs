// Folders with runs, and what `heddle analyze` says of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { heddle } from './workbench.mjs';

const samples = fileURLToPath(new URL('../../samples/bank', import.meta.url));

/** A folder with the bank and its run, removed when the test `t` ends. */
export function openFolder(t) {
    const folder = mkdtempSync('/tmp/heddle-reports-');
    t.after(() => rmSync(folder, { recursive: true }));
    copyFileSync(path.join(samples, 'bank.cpp'), path.join(folder, 'bank.cpp'));
    copyFileSync(path.join(samples, 'run.std'), path.join(folder, 'run.std'));
    return folder;
}

export function analyze(folder, ...words) {
    const { status, stdout, stderr } = spawnSync(heddle, ['analyze', ...words], {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
    });
    assert.notEqual(status, 2, stderr);
    return { status, stdout };
}

/** A run in which so many variables race, each in a line of its own. */
export function manyRaces(count, name = (i) => `counter${i}`) {
    const writes = (thread) =>
        Array.from({ length: count }, (_, i) => `${thread}|w(${name(i)})|count${thread}@many.cpp:${i + 1}:3|=1`);
    return [
        'T0|fork(T1)|main@main.cpp:1:1',
        'T0|fork(T2)|main@main.cpp:2:1',
        ...writes('T1'),
        ...writes('T2'),
        '',
    ].join('\n');
}
