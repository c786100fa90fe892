// VS Code's own workbench and extension host with Heddle's extension, in a browser without a screen and a home of its own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { openPage, patience, until } from './browser.mjs';

export const heddle = process.env.HEDDLE;
if (!heddle) throw new Error('HEDDLE has to name the program that is to be tested');

const here = path.dirname(fileURLToPath(import.meta.url));
const extension = path.resolve(here, '../../../editors/vscode');
const server = path.join(here, 'node_modules/code-server/lib/vscode/out/server-main.js');
/** Where pictures go: `screenshots` below the folder in which the tests run, which ctest makes the build's. */
export const pictures = path.resolve('screenshots');

/** A home with a folder `work` to open, removed when the test `t` ends. */
export class Home {
    #endings = [];
    #settings = {};

    constructor(t) {
        this.folder = mkdtempSync('/tmp/heddle-workbench-');
        t.after(async () => {
            for (const end of this.#endings.reverse()) await end();
            this.stopDaemon();
            rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
        });
        this.work = path.join(this.folder, 'work');
        this.programs = path.join(this.folder, 'bin');
        for (const folder of [this.work, this.programs]) mkdirSync(folder);
        symlinkSync(heddle, path.join(this.programs, 'heddle'));
        this.environment = {
            ...process.env,
            PATH: `${this.programs}:${process.env.PATH}`,
            HOME: this.folder,
            TMPDIR: this.folder,
            XDG_RUNTIME_DIR: this.folder,
        };
        // The server takes its environment from a login shell.
        writeFileSync(path.join(this.folder, '.profile'), `PATH=${this.programs}:$PATH\n`);
        this.environment.SHELL = '/bin/bash';
        for (const name of ['CACHE', 'CONFIG', 'DATA', 'STATE']) delete this.environment[`XDG_${name}_HOME`];
        this.settings({});
    }

    /** Calls `end` before the folder is removed: whatever writes there has to have ended. */
    beforeRemoval(end) {
        this.#endings.push(end);
    }

    /** The daemon that windows share is nobody's child. That there is none is fine, too. */
    stopDaemon() {
        spawnSync(heddle, ['stop'], { env: this.environment });
    }

    has(name) {
        return existsSync(path.join(this.folder, name));
    }

    /** Replaces the program heddle that the workbench finds. */
    replaceProgram(script) {
        const file = path.join(this.programs, 'heddle');
        rmSync(file, { force: true });
        if (script !== null) writeFileSync(file, script, { mode: 0o755 });
    }

    /** As if the clone that has the extension had been built. */
    buildBeside() {
        const folder = path.join(this.folder, 'clone/build/bin');
        mkdirSync(folder, { recursive: true });
        symlinkSync(heddle, path.join(folder, 'heddle'));
    }

    write(name, text) {
        const file = path.join(this.work, name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
    }

    /** Of the folder, over those that were given before; the workbench notices when they change. */
    settings(more) {
        this.#settings = { ...this.#settings, ...more };
        const quiet = {
            'workbench.startupEditor': 'none',
            'workbench.colorTheme': 'Default Dark Modern',
            'editor.minimap.enabled': false,
            'chat.commandCenter.enabled': false,
            'workbench.tips.enabled': false,
            'editor.hover.delay': 100,
            'security.workspace.trust.startupPrompt': 'never',
            'security.workspace.trust.banner': 'never',
        };
        this.write('.vscode/settings.json', JSON.stringify({ ...quiet, ...this.#settings }));
    }

    /** The extension as it is installed: what its package holds, in the folder that it has in a clone. */
    installExtension() {
        const installed = path.join(this.folder, 'clone/editors/vscode');
        for (const part of ['package.json', 'dist', 'media'])
            cpSync(path.join(extension, part), path.join(installed, part), { recursive: true });
        return installed;
    }
}

export class Workbench {
    pages = [];

    /** Ends with the home. `trusted`: every folder is. */
    static async start(home, { trusted = true } = {}) {
        const own = (name) => path.join(home.folder, name);
        const words = [
            '--host',
            '127.0.0.1',
            '--port',
            '0',
            '--without-connection-token',
            '--accept-server-license-terms',
        ];
        words.push(
            '--server-data-dir',
            own('server'),
            '--user-data-dir',
            own('user'),
            '--extensions-dir',
            own('extensions'),
        );
        words.push('--telemetry-level', 'off', '--enable-smoke-test-driver');
        if (trusted) words.push('--disable-workspace-trust');
        // What it says of native modules that are not built, and of a market place that is out of reach, helps nobody.
        const child = spawn(process.execPath, [server, ...words], {
            env: home.environment,
            detached: true,
            stdio: ['ignore', 'pipe', 'ignore'],
        });
        const ended = once(child, 'exit');
        const workbench = new Workbench();
        home.beforeRemoval(async () => {
            for (const page of workbench.pages) await page.context().close();
            process.kill(-child.pid, 'SIGKILL');
            await ended;
        });
        let said = '';
        child.stdout.on('data', (bytes) => (said += bytes));
        const port = await until('the server', () => /listening on (\d+)/.exec(said)?.[1]);
        workbench.home = home;
        workbench.port = port;
        workbench.extension = home.installExtension();
        return workbench;
    }

    /** A window on the folder, with a file open in it. */
    async open(file) {
        const remote = (name) => `vscode-remote://127.0.0.1:${this.port}${name}`;
        const payload = [['extensionDevelopmentPath', remote(this.extension)]];
        if (file) payload.push(['openFile', remote(path.join(this.home.work, file))]);
        const page = await openPage({ viewport: { width: 1400, height: 860 } });
        this.pages.push(page);
        page.setDefaultTimeout(patience);
        await page.goto(
            `http://127.0.0.1:${this.port}/?folder=${this.home.work}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
        );
        await page.locator('.monaco-workbench').waitFor();
        if (file) await page.locator('.monaco-editor .view-line').first().waitFor();
        return new Window(page, this.home);
    }
}

/** Runs the steps of a story in turn. When one fails, the rest is left out, and a picture shows what there was. */
export async function story(window, steps) {
    for (const [what, act] of Object.entries(steps)) {
        try {
            await act();
        } catch (error) {
            await window.picture(`failure-${what.replaceAll(/\W+/g, '-')}`);
            throw new Error(`${what}: ${error.message}`, { cause: error });
        }
    }
}

const appears = (locator, timeout) =>
    locator.waitFor({ timeout }).then(
        () => true,
        () => false,
    );

/** One window of the workbench. */
export class Window {
    constructor(page, home) {
        this.page = page;
        this.home = home;
    }

    /** The item in the status bar, once its text is as wanted. */
    async status(text, timeout = patience) {
        await this.page.locator('[id*="heddle.status"]', { hasText: text }).first().waitFor({ timeout });
        return true;
    }

    /** A command of the palette, by its full name. Those of what has just started come into the list by and by. */
    async run(name) {
        const input = this.page.locator('.quick-input-widget input').first();
        const found = this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name });
        await until(`the command ${name}`, async () => {
            await this.page.keyboard.press('F1');
            if (!(await appears(input, 3000))) return false; // the focus was on its way elsewhere
            await input.fill(`>${name}`);
            const there = await appears(found, 3000);
            await this.page.keyboard.press(there ? 'Enter' : 'Escape');
            await input.waitFor({ state: 'hidden' });
            return there;
        });
    }

    /**
     * Does what is offered at the cursor. The mouse is taken away first, as a late hover closes the menu, and the menu is opened again
     * when it does not have the action: some take the daemon a moment to find.
     */
    async quickFix(title) {
        await this.page.mouse.move(600, 790);
        const menu = this.page.locator('.action-widget');
        const row = menu.locator('.monaco-list-row.focused');
        await until(`the action ${title}`, async () => {
            await this.page.keyboard.press('Control+.');
            if (!(await appears(row, 2000))) return false;
            if ((await menu.getByText(title).count()) === 0) {
                await this.page.keyboard.press('Escape');
                return false;
            }
            return until('the row of the action', async () => {
                const focused = await row.textContent({ timeout: 500 }).catch(() => '');
                if (focused.includes(title)) return true;
                await this.page.keyboard.press('ArrowDown');
                return false;
            });
        });
        await this.page.keyboard.press('Enter');
    }

    /** What is underlined as an error on the screen: the number of the line, and the letters over the squiggle. */
    squiggles() {
        return this.page.evaluate(() => {
            const editor = document.querySelector('.editor-instance .monaco-editor');
            const middle = (box) => box.top + box.height / 2;
            const isBeside = (box, other) => Math.abs(middle(box) - middle(other)) < other.height / 2;
            const boxes = (selector) =>
                [...editor.querySelectorAll(selector)].map((one) => ({ one, box: one.getBoundingClientRect() }));
            const lettersOver = (squiggle) => {
                const line = boxes('.view-line').find(({ box }) => isBeside(squiggle, box))?.one;
                const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
                let letters = '';
                while (walker.nextNode()) {
                    for (let at = 0; at < walker.currentNode.length; ++at) {
                        const range = document.createRange();
                        range.setStart(walker.currentNode, at);
                        range.setEnd(walker.currentNode, at + 1);
                        const { left, width } = range.getBoundingClientRect();
                        const centre = left + width / 2;
                        if (squiggle.left < centre && centre < squiggle.right) letters += range.toString();
                    }
                }
                return letters;
            };
            const found = boxes('.squiggly-error').map(({ box }) => ({
                line: Number(boxes('.line-numbers').find((number) => isBeside(box, number.box))?.one.textContent),
                text: lettersOver(box),
            }));
            return found.sort((one, other) => one.line - other.line);
        });
    }

    /** Keeps what the status bar says from now on: some of it is there for an instant only. The result tells what it was. */
    async watchStatus() {
        await this.page.evaluate(() => {
            const said = (globalThis.heddleSaid = []);
            const look = () => {
                const text = document.querySelector('[id*="heddle.status"]')?.textContent.trim();
                if (text && text !== said.at(-1)) said.push(text);
            };
            look();
            const bar = document.querySelector('.part.statusbar');
            new MutationObserver(look).observe(bar, { subtree: true, childList: true, characterData: true });
        });
        return () => this.page.evaluate(() => globalThis.heddleSaid);
    }

    /** What is over functions of how many findings they have. */
    get lenses() {
        return this.page.locator('.codelens-decoration', { hasText: 'race' });
    }

    /** Rows of the view of findings. */
    get findings() {
        return this.page.locator('.pane-body .monaco-list-row');
    }

    async theme(name, look) {
        this.home.settings({ 'workbench.colorTheme': name });
        await this.page.locator(`.monaco-workbench.${look}`).waitFor();
    }

    /** Agrees to what a notification asks, or chooses another of its buttons. */
    async answer(text, button) {
        await this.notification(text).getByRole('button', { name: button, exact: true }).click();
    }

    /** Moves the cursor. */
    async goTo(line, column) {
        await this.page.keyboard.press('Control+G');
        const input = this.page.locator('.quick-input-widget input').first();
        await input.fill(`:${line}:${column}`);
        await this.page.keyboard.press('Enter');
        await input.waitFor({ state: 'hidden' });
        await this.cursorIn(line);
    }

    /** Waits until the cursor is in a line, counted from 1. */
    async cursorIn(line) {
        await this.page.locator('#status\\.editor\\.selection', { hasText: `Ln ${line},` }).waitFor();
    }

    /** Whether a decoration puts this text beside a line: it is in a style sheet, not in the document. */
    note(text) {
        return this.page.evaluate(
            (wanted) =>
                [...document.querySelectorAll('.view-line span')].some((span) =>
                    getComputedStyle(span, '::after').content.replaceAll('\u00a0', ' ').includes(wanted),
                ),
            text,
        );
    }

    /** How many lines an extension marks. */
    async markedLines() {
        const marks = await this.page.locator('.editor-instance .view-overlays [class*="ced-"]').all();
        return new Set(await Promise.all(marks.map(async (mark) => (await mark.boundingBox()).y))).size;
    }

    notification(text) {
        return this.page.locator('.notification-list-item', { hasText: text }).first();
    }

    /** The page in the witness panel. */
    get witness() {
        return this.page.frameLocator('iframe.webview').frameLocator('#active-frame');
    }

    /** The same, to run scripts in: those of a test are under no policy. */
    async witnessFrame() {
        const outer = await (await this.page.locator('iframe.webview').elementHandle()).contentFrame();
        return (await outer.$('#active-frame')).contentFrame();
    }

    async picture(name) {
        mkdirSync(pictures, { recursive: true });
        await this.page.screenshot({ path: path.join(pictures, `${name}.png`), animations: 'disabled' });
    }
}
