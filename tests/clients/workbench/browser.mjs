// Chromium without a screen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { chromium } from 'playwright-core';

export const patience = Number(process.env.HEDDLE_PATIENCE ?? 45_000); // milliseconds, for what takes one second at most

let browser;
after(async () => (await browser)?.close());

/** A page with nothing of other pages; all are in one browser, which ends with the tests. */
export async function openPage(options) {
    browser ??= chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: [
            '--headless',
            '--no-sandbox',
            '--disable-gpu',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
        ],
    });
    const context = await (await browser).newContext(options);
    return context.newPage();
}

/** Asks again until `condition` gives something that counts as true, and returns that. */
export async function until(what, condition) {
    const deadline = Date.now() + patience;
    for (;;) {
        const result = await condition();
        if (result) return result;
        if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** An automated check of accessibility, of a page or a frame: it has to find nothing. */
export async function assertAccessible(page) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]),
        [],
    );
}
