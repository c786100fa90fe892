// What else there is in VS Code: the menu and commands, the states of the status bar, settings, and the first steps.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { copyBank, depositLine, openBank } from './bank.mjs';
import { until } from './browser.mjs';
import { Home, Workbench, heddle, story } from './workbench.mjs';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const manifest = JSON.parse(readFileSync(at('../../../editors/vscode/package.json'), 'utf8'));

const titles = manifest.contributes.walkthroughs[0].steps.map(({ title }) => title);

test('states of the status bar, a setting that is wrong, the first steps; then its menu, and what it leads to', async (t) => {
    const home = new Home(t);
    copyBank(home);
    const workbench = await Workbench.start(home);
    const window = await workbench.open('bank.cpp');
    const { page } = window;
    const menu = async (entry) => {
        await page.locator('[id*="heddle.status"]').first().click();
        const row = page.locator('.quick-input-list .monaco-list-row', { hasText: entry });
        await row.first().waitFor();
        if (entry === 'Show Findings') await window.picture('menu');
        await row.first().click();
    };
    const done = page.locator('.getting-started-step').filter({ has: page.locator('.codicon.complete') });
    await story(window, {
        'nothing is recorded: the view leads to the first steps': async () => {
            await window.status('Heddle: no traces');
            await window.run('Heddle: Focus on Findings View');
            await page.getByRole('button', { name: 'First Steps' }).click();
            await page.getByText('From a test that passes to the race that it nearly hit').waitFor();
            for (const title of titles) await page.locator('.getting-started-step', { hasText: title }).waitFor();
            await done.filter({ hasText: titles[0] }).waitFor(); // the program runs
            await window.witness.getByText('as soon as the program runs').waitFor(); // in what is beside the step
            await window.picture('walkthrough');
        },
        'how far an analysis is': async () => {
            const said = await window.watchStatus();
            // A run of a few hundred thousand events takes a second or two.
            const made = path.join(home.folder, 'large.htr');
            execFileSync(heddle, [
                'generate',
                '--preset',
                'realistic',
                '--events',
                '300000',
                '--race-rate',
                '0.001',
                '-o',
                made,
            ]);
            home.write('.heddle/traces/.keep', '');
            renameSync(made, path.join(home.work, '.heddle/traces/large.htr'));
            await window.status(/\d races?/);
            for (const title of titles.slice(0, 3)) await done.filter({ hasText: title }).waitFor();
            const percents = (await said()).flatMap((text) => /analysing (\d+) %/.exec(text)?.[1] ?? []).map(Number);
            assert.ok(
                percents.some((percent) => percent > 0 && percent < 100),
                (await said()).join(' · '),
            );
        },
        'a value out of range is told by its name': async () => {
            home.settings({ 'heddle.witnessBudget': -1 });
            await window.notification('heddle.witnessBudget: must be a number between').waitFor();
            await window.picture('wrong-setting');
            home.settings({ 'heddle.witnessBudget': 1 });
            await page.keyboard.press('Control+1');
        },
        'to the findings': async () => {
            rmSync(path.join(home.work, '.heddle/traces/large.htr'));
            openBank(home);
            await window.status('Heddle: 1 race');
            await window.findings.filter({ hasText: 'account.balance' }).waitFor();
            await window.run('View: Show Explorer');
            await menu('Show Findings');
            await window.findings.filter({ hasText: 'account.balance' }).waitFor();
        },
        'to the next of them, and to its witness by a key': async () => {
            await menu('Next Finding');
            await window.cursorIn(depositLine);
            await page.keyboard.press('Alt+Shift+W');
            await window.witness.locator('.wv').waitFor();
            await page.keyboard.press('Control+1');
        },
        'a run that nobody recorded is not replayed, and it is said why': async () => {
            await menu('Replay Witness');
            await window.notification('the trace does not tell how the program was started').waitFor();
        },
        'the log has what the daemon says': async () => {
            await menu('Show Log');
            await page
                .locator('.output-view-container, .output.panel, [id="workbench.panel.output"]')
                .first()
                .waitFor();
            await page.keyboard.press('Control+J');
        },
        'to analyse again, and to start again': async () => {
            const said = await window.watchStatus();
            await menu('Analyse Now');
            await until('an analysis', async () => (await said()).some((text) => /analysing/.test(text)));
            await window.status('Heddle: 1 race');
            await menu('Restart');
            await until('a start', async () => (await said()).some((text) => /starting/.test(text)));
            await window.status('Heddle: 1 race');
        },
        'a finding is suppressed, and the file with it opened': async () => {
            await page.keyboard.press('Control+1');
            await window.run('Heddle: Next Finding');
            await until('the lenses', async () => (await window.lenses.count()) === 2);
            await window.quickFix('Suppress in the suppressions file');
            const file = path.join(home.work, '.heddle/suppressions');
            await until('the file', () => existsSync(file) && /race/.test(readFileSync(file, 'utf8')));
            await window.status('Heddle: no findings');
            await until('no squiggles', async () => (await window.squiggles()).length === 0);
            await until('no lens', async () => (await window.lenses.count()) === 0);
            await menu('Open Suppressions');
            await page.locator('.tab.active', { hasText: 'suppressions' }).waitFor();
        },
        'to the settings': async () => {
            await menu('Settings');
            await page.locator('.settings-editor').getByText('Cache Limit').first().waitFor();
            await window.picture('settings');
        },
    });
});

test('the settings are those of the daemon, with its defaults', () => {
    const documented = [
        ...readFileSync(at('../../../docs/configuration.md'), 'utf8').matchAll(/^\| `(\w+)` \| .* \| (.*) \| .* \|$/gm),
    ];
    assert.ok(documented.length > 10);
    const properties = manifest.contributes.configuration.properties;
    const own = ['path', 'shareDaemon'];
    const names = Object.keys(properties).map((name) => name.replace('heddle.', ''));
    assert.deepEqual(names.filter((name) => !own.includes(name)).sort(), documented.map(([, name]) => name).sort());
    const empty = { none: [[], ''], 'all three': [['race', 'atomicity', 'deadlock']] };
    for (const [, name, written] of documented) {
        const value = properties[`heddle.${name}`].default;
        const text = written.replaceAll('`', '');
        const fits = empty[text] ?? [/^[\[{"\d]|^(true|false)$/.test(text) ? JSON.parse(text) : text];
        assert.ok(
            fits.some((one) => JSON.stringify(one) === JSON.stringify(value)),
            `${name}: ${text}, not ${JSON.stringify(value)}`,
        );
        const { description, markdownDescription } = properties[`heddle.${name}`];
        assert.ok(description ?? markdownDescription, `${name} has a description`);
    }
});
