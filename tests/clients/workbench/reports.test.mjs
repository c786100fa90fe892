// What `heddle analyze` writes for others: the page for a browser, SARIF, and what a baseline leaves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { default as Ajv } from 'ajv-draft-04';
import addFormats from 'ajv-formats';

import { openPage } from './browser.mjs';
import { heddle, pictures } from './workbench.mjs';

const require = createRequire(import.meta.url);
const samples = fileURLToPath(new URL('../../samples/bank', import.meta.url));
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A folder with the bank and its run, removed when the test `t` ends. */
function openFolder(t) {
    const folder = mkdtempSync('/tmp/heddle-reports-');
    t.after(() => rmSync(folder, { recursive: true }));
    copyFileSync(path.join(samples, 'bank.cpp'), path.join(folder, 'bank.cpp'));
    copyFileSync(path.join(samples, 'run.std'), path.join(folder, 'run.std'));
    return folder;
}

function analyze(folder, ...words) {
    const { status, stdout, stderr } = spawnSync(heddle, ['analyze', ...words], {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
    });
    assert.notEqual(status, 2, stderr);
    return { status, stdout };
}

/** The page in a browser that notes everything it should not do. */
async function openReport(folder, html, options = {}) {
    const file = path.join(folder, 'report.html');
    writeFileSync(file, html);
    const page = await openPage({ viewport: { width: 1200, height: 900 }, ...options });
    const wrong = [];
    page.on('console', (message) => wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => request.url() !== pathToFileURL(file).href && wrong.push(request.url()));
    const begun = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.locator('.finding').first().waitFor();
    return { page, wrong, milliseconds: performance.now() - begun };
}

/** A run in which so many variables race, each in a line of its own. */
function manyRaces(count) {
    const writes = (thread) =>
        Array.from({ length: count }, (_, i) => `${thread}|w(counter${i})|count${thread}@many.cpp:${i + 1}:3|=1`);
    return [
        'T0|fork(T1)|main@main.cpp:1:1',
        'T0|fork(T2)|main@main.cpp:2:1',
        ...writes('T1'),
        ...writes('T2'),
        '',
    ].join('\n');
}

test('the page tells where, how it comes about and how to see it again', async (t) => {
    const folder = openFolder(t);
    const { status, stdout } = analyze(folder, 'run.std', '--format', 'html');
    assert.equal(status, 1);
    for (const colorScheme of ['light', 'dark']) {
        const { page, wrong } = await openReport(folder, stdout, { colorScheme });
        await page.locator('.wv').waitFor(); // a single finding is open from the start
        assert.match(await page.locator('h1').textContent(), /1 race · 0 atomicity violations · 0 deadlocks/);
        assert.deepEqual(await page.locator('mark').allTextContents(), [
            '   15      to.balance += amount;\n',
            '   19      to.balance += 25; // without to.mu\n',
        ]);
        await page.getByText('heddle witness run.std 1').waitFor();
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: path.join(pictures, `report-${colorScheme}.png`), fullPage: true });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(
            violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]),
            [],
        );
        assert.deepEqual(wrong, []);
    }
});

test('it is used by keys alone', async (t) => {
    const folder = openFolder(t);
    writeFileSync(path.join(folder, 'many.std'), manyRaces(3));
    const { page, wrong } = await openReport(folder, analyze(folder, 'run.std', 'many.std', '--format', 'html').stdout);
    assert.equal(await page.locator('.finding').count(), 4);
    await page.locator('#words').focus();
    await page.keyboard.type('pay_bonus');
    assert.equal(await page.locator('#shown').textContent(), '1 of 4 shown');
    for (let i = 0; i < 5; ++i) await page.keyboard.press('Tab'); // over the boxes, to the finding
    await page.keyboard.press('Enter');
    await page.locator('.wv').waitFor();
    const current = page.locator('.wv-row[aria-selected=true]');
    assert.match(await current.getAttribute('aria-label'), /^Step 9 of 9/);
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowUp');
    assert.match(await current.getAttribute('aria-label'), /^Step 8 of 9/);
    assert.deepEqual(wrong, []);
});

test('500 findings are there in less than a second, and nothing in them is taken for HTML', async (t) => {
    const folder = openFolder(t);
    writeFileSync(path.join(folder, 'many.std'), manyRaces(500).replaceAll('counter7)', 'counter</script><b>7)'));
    const html = analyze(folder, 'many.std', '--format', 'html').stdout;
    const { page, wrong, ...first } = await openReport(folder, html);
    assert.equal(await page.locator('.finding').count(), 500);
    // On a busy machine the shortest of a few tells how long it takes.
    const times = [first.milliseconds];
    for (let i = 0; i < 3; ++i) times.push((await openReport(folder, html)).milliseconds);
    assert.ok(Math.min(...times) < 1000, `it took ${times.map(Math.round).join(', ')} ms`);
    assert.equal(await page.locator('b').count(), 0);
    assert.deepEqual(wrong, []);
});

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
        region: { startLine: 15, startColumn: 8 },
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
