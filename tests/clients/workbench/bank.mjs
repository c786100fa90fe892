// The sample bank: its source, and runs of it. One that is recorded is a little different each time; the one that is written down
// is for what does not depend on that.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { heddle } from './workbench.mjs';

const samples = fileURLToPath(new URL('../../samples/bank', import.meta.url));

/** Lines of bank.cpp, from 1: where the two sides of the race are, and where one of them takes the lock. */
export const lockLine = 14;
export const depositLine = 15;
export const bonusLine = 19;

/** Builds and runs it, as a test command does. Once in a while the race strikes: a wrong balance, status 1. */
export const testCommand = ['./test'];
const test = '#!/bin/sh\ng++ -std=c++17 -O1 -g -fsanitize=thread bank.cpp -o bank && ./bank || [ $? -eq 1 ]\n';

/** Puts the source into the folder of a home. */
export function copyBank(home) {
    copyFileSync(path.join(samples, 'bank.cpp'), path.join(home.work, 'bank.cpp'));
    home.write('test', test);
    chmodSync(path.join(home.work, 'test'), 0o755);
}

/** Source and the run that is written down. */
export function openBank(home) {
    copyBank(home);
    mkdirSync(path.join(home.work, '.heddle/traces'), { recursive: true });
    copyFileSync(path.join(samples, 'run.std'), path.join(home.work, '.heddle/traces/bank.std'));
}

/**
 * Source and a recorded run; the result is its finding, as `heddle witness` tells it. Now and then the race strikes, or threads
 * take an order that shows two of the bank's races: then it is run again.
 */
export function recordBank(home) {
    copyBank(home);
    const run = (program, ...words) => spawnSync(program, words, { cwd: home.work, env: home.environment, encoding: 'utf8' });
    // By its own name: a replay runs the program that was recorded.
    run('g++', '-std=c++17', '-O1', '-g', '-fsanitize=thread', 'bank.cpp', '-o', 'bank');
    const trace = '.heddle/traces/bank.htr';
    for (let tries = 0; tries < 100; ++tries) {
        if (run(heddle, 'record', '--', './bank').status !== 0) continue;
        const { findings } = JSON.parse(run(heddle, 'analyze', trace, '--format', 'json').stdout);
        if (findings.length === 1) return JSON.parse(run(heddle, 'witness', trace, '1', '--format', 'json').stdout);
    }
    throw new Error('no run of the bank has one finding');
}
