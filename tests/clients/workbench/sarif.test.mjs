// SARIF, what a baseline leaves, and the recipe for continuous integration.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { default as Ajv } from 'ajv-draft-04';
import addFormats from 'ajv-formats';

import { analyze, manyRaces, openFolder } from './reports.mjs';
import { heddle } from './workbench.mjs';

const require = createRequire(import.meta.url);
const schema = JSON.parse(
    readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
);

function checkSarif(log) {
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
    addFormats(ajv);
    const valid = ajv.validate(schema, log);
    assert.ok(valid, JSON.stringify(ajv.errors, null, 2));
}

const fingerprints = (log) =>
    log.runs.flatMap((run) => run.results.map((result) => result.partialFingerprints['heddle/v1']));

test('SARIF is valid, and has one thread flow a thread in their order', async (t) => {
    const folder = openFolder(t);
    const log = JSON.parse(analyze(folder, 'run.std', '--format', 'sarif').stdout);
    checkSarif(log);
    const [result] = log.runs[0].results;
    assert.deepEqual([result.ruleId, result.level], ['race', 'error']);
    assert.deepEqual(result.locations[0].physicalLocation, {
        artifactLocation: { uri: 'bank.cpp', uriBaseId: 'SRCROOT' },
        region: { startLine: 15, startColumn: 5, endLine: 15, endColumn: 15 }, // to.balance
    });
    const flows = result.codeFlows[0].threadFlows;
    assert.deepEqual(
        flows.map(({ id }) => id),
        ['T0', 'T1 first', 'T2 second', 'T3 bonus'],
    );
    const order = flows.flatMap(({ locations }) => locations.map(({ executionOrder }) => executionOrder));
    assert.deepEqual(
        [...order].sort((one, other) => one - other),
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
});

test('SARIF tells what is suppressed, and what could not be read', async (t) => {
    const folder = openFolder(t);
    writeFileSync(path.join(folder, 'suppressions'), 'race:pay_bonus\n');
    const log = JSON.parse(analyze(folder, 'run.std', '--suppressions', 'suppressions', '--format', 'sarif').stdout);
    checkSarif(log);
    assert.deepEqual(log.runs[0].results[0].suppressions, [{ kind: 'external', justification: 'suppressions:1' }]);
    const { stdout } = spawnSync(heddle, ['analyze', 'missing.std', '--format', 'sarif'], {
        cwd: folder,
        encoding: 'utf8',
    });
    checkSarif(JSON.parse(stdout));
    assert.equal(JSON.parse(stdout).runs[0].invocations[0].executionSuccessful, false);
});

test('all traces are one run, and a finding that several have is one result', async (t) => {
    const folder = openFolder(t);
    const run = readFileSync(path.join(folder, 'run.std'), 'utf8');
    writeFileSync(path.join(folder, 'again.std'), run);
    writeFileSync(path.join(folder, 'many.std'), manyRaces(2));
    const log = JSON.parse(analyze(folder, 'run.std', 'many.std', 'again.std', '--format', 'sarif').stdout);
    checkSarif(log);
    assert.equal(log.runs.length, 1);
    assert.deepEqual(
        log.runs[0].results.map(({ occurrenceCount, properties }) => [occurrenceCount, properties.traces]),
        [
            [2, ['run.std', 'again.std']],
            [1, ['many.std']],
            [1, ['many.std']],
        ],
    );
});

test('a program that was changed above a finding and recorded again has it under the same fingerprint', async (t) => {
    const folder = openFolder(t);
    const run = (program, ...words) => execFileSync(program, words, { cwd: folder, stdio: 'pipe' });
    /** The threads of the bank take another order now and then, which shows another of its races, or several: a run that is wanted. */
    const record = (wanted) => {
        run('g++', '-std=c++17', '-O1', '-g', '-fsanitize=thread', 'bank.cpp', '-o', 'bank');
        for (let tries = 0; tries < 100; ++tries) {
            run('/bin/sh', '-c', `${heddle} record -- ./bank || [ $? -eq 1 ]`); // 1: it struck
            const log = JSON.parse(analyze(folder, '--format', 'sarif').stdout);
            checkSarif(log);
            if (wanted(fingerprints(log))) return log;
        }
        throw new Error('no run is like the one that is wanted');
    };
    const before = record(({ length }) => length === 1);
    const source = readFileSync(path.join(folder, 'bank.cpp'), 'utf8');
    const added = '// one more line\nint unrelated(int by) {\n    return by + 1;\n}\n\n';
    writeFileSync(path.join(folder, 'bank.cpp'), source.replace('static void deposit', `${added}static void deposit`));
    writeFileSync(path.join(folder, 'before.sarif'), JSON.stringify(before));
    const after = record((found) => found.length === 1 && found[0] === fingerprints(before)[0]);
    const lines = (log) => log.runs[0].results[0].locations.map((one) => one.physicalLocation.region.startLine);
    assert.equal(lines(after)[0], lines(before)[0] + 5);
    assert.equal(analyze(folder, '--baseline', 'before.sarif').status, 0);
});

test('a finding keeps its fingerprint when lines are added above, and a baseline leaves only what is new', async (t) => {
    const folder = openFolder(t);
    const before = JSON.parse(analyze(folder, 'run.std', '--format', 'sarif').stdout);
    const run = readFileSync(path.join(folder, 'run.std'), 'utf8');
    const moved = run.replaceAll(/bank\.cpp:(\d+)/g, (_, line) => `bank.cpp:${Number(line) + 40}`);
    writeFileSync(path.join(folder, 'moved.std'), moved);
    const after = JSON.parse(analyze(folder, 'moved.std', '--format', 'sarif').stdout);
    assert.deepEqual(fingerprints(after), fingerprints(before));
    assert.equal(new Set(fingerprints(after)).size, 1);

    writeFileSync(path.join(folder, 'before.sarif'), JSON.stringify(before));
    const known = analyze(folder, 'moved.std', '--baseline', 'before.sarif');
    assert.equal(known.status, 0);
    assert.match(known.stdout, /^0 races .* 1 suppressed/m);
    writeFileSync(path.join(folder, 'before.json'), analyze(folder, 'run.std', '--format', 'json').stdout);
    assert.equal(analyze(folder, 'moved.std', '--baseline', 'before.json').status, 0);
    writeFileSync(path.join(folder, 'many.std'), manyRaces(2));
    const fresh = JSON.parse(analyze(folder, 'many.std', '--baseline', 'before.json', '--format', 'json').stdout);
    assert.equal(fresh.findings.length, 2);
    const wrong = spawnSync(heddle, ['analyze', 'run.std', '--baseline', 'bank.cpp'], {
        cwd: folder,
        encoding: 'utf8',
    });
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /no baseline/);
});

test('the recipe of docs/ci.md does what it says', (t) => {
    const folder = openFolder(t);
    const project = [
        'cmake_minimum_required(VERSION 3.20)',
        'project(bank CXX)',
        'find_package(Threads REQUIRED)',
        'enable_testing()',
        'add_executable(bank bank.cpp)',
        'target_link_libraries(bank Threads::Threads)',
        'add_test(NAME bank COMMAND bank)',
    ];
    writeFileSync(path.join(folder, 'CMakeLists.txt'), project.join('\n'));
    const page = readFileSync(new URL('../../../docs/ci.md', import.meta.url), 'utf8');
    const [, recipe] = /```sh\n(.*?)```/s.exec(page);
    assert.match(recipe, /heddle record/);
    const PATH = `${path.dirname(heddle)}:${process.env.PATH}`;
    const { status, stderr } = spawnSync('/bin/sh', ['-c', recipe], {
        cwd: folder,
        env: { ...process.env, PATH },
        encoding: 'utf8',
    });
    assert.equal(status, 1, stderr); // findings
    assert.match(readFileSync(path.join(folder, 'heddle.html'), 'utf8'), /data race on 'account.balance'/);
});
