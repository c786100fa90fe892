// The sample bank with a run of it. The run is written down, not recorded, so that every picture shows the same schedule;
// troubles.test.mjs records one.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const samples = fileURLToPath(new URL('../../samples/bank', import.meta.url));

/** Lines of bank.cpp, from 1: where the two sides of the race are, and where one of them takes the lock. */
export const lockLine = 14;
export const depositLine = 15;
export const bonusLine = 19;

/** Puts source and run into the folder of a home. */
export function openBank(home) {
    copyBank(home);
    mkdirSync(path.join(home.work, '.heddle/traces'), { recursive: true });
    copyFileSync(path.join(samples, 'run.std'), path.join(home.work, '.heddle/traces/bank.std'));
}

export function copyBank(home) {
    copyFileSync(path.join(samples, 'bank.cpp'), path.join(home.work, 'bank.cpp'));
}
