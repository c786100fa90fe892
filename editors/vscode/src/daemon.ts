// The connection to the daemon: starts it, tells how it is, and asks it. Nothing is started in a folder that the person
// does not trust.
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, State, Trace } from 'vscode-languageclient/node';
import type { ErrorHandler, LanguageClientOptions, Middleware, ServerOptions } from 'vscode-languageclient/node';

import { findBinary, NoBinary } from './binary';
import { commands, type ListedFinding, type Status, type Witness } from './protocol';
import { settingNames, settings, settingsForDaemon } from './settings';

export type Health =
    | { is: 'untrusted' | 'starting' | 'stopped' }
    | { is: 'missing'; why: string; brief: string }
    | { is: 'failed'; why: string }
    | { is: 'running'; status: Status | undefined };

/** What the person does to a finding, by commands of the daemon that this window shows in its own way. */
export interface Intercept {
    showWitness(bug: string): Promise<void>;
    replay(bug: string): Promise<void>;
}

const restartsInARow = 3;
const aWhile = 60_000; // milliseconds: a daemon that ran longer than this did not fail at once

/** Starts a daemon that ended again, but not for ever. */
class Restarts implements ErrorHandler {
    private ends: number[] = [];

    constructor(
        private readonly isWanted: () => boolean,
        private readonly gaveUp: () => void,
    ) {}

    error(): { action: ErrorAction } {
        return { action: ErrorAction.Continue };
    }

    closed(): { action: CloseAction; handled: boolean } {
        if (!this.isWanted()) return { action: CloseAction.DoNotRestart, handled: true };
        const now = Date.now();
        this.ends = [...this.ends.filter((time) => now - time < aWhile), now];
        if (this.ends.length <= restartsInARow) return { action: CloseAction.Restart, handled: true };
        this.gaveUp();
        return { action: CloseAction.DoNotRestart, handled: true };
    }
}

/**
 * The workbench has the sentences of diagnostics over a hover already, and little room: the table of the schedule, which it does not
 * have, comes first.
 */
function withoutSentence(hover: vscode.Hover): vscode.Hover {
    const sentence = /^\*\*.*\*\*\n\n/;
    for (const content of hover.contents) {
        if (content instanceof vscode.MarkdownString) content.value = content.value.replace(sentence, '');
    }
    return hover;
}

/** What the library would tell in words of its own, of every attempt, goes to the log: the person is told once. */
class QuietClient extends LanguageClient {
    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}

export class Daemon implements vscode.Disposable {
    private client: LanguageClient | undefined;
    private health_: Health = { is: 'stopped' };
    private readonly changed = new vscode.EventEmitter<Health>();
    private readonly output = vscode.window.createOutputChannel('Heddle');

    readonly onHealth = this.changed.event;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly intercept: () => Intercept,
    ) {}

    get health(): Health {
        return this.health_;
    }

    get canReplay(): boolean {
        return this.offers(commands.replay);
    }

    showLog(): void {
        this.output.show();
    }

    async start(): Promise<void> {
        if (!vscode.workspace.isTrusted) return this.become({ is: 'untrusted' });
        this.become({ is: 'starting' });
        try {
            const binary = await findBinary(settings().get('path', ''), this.context.extensionPath);
            this.output.appendLine(`heddle ${binary.version}: ${binary.path}`);
            await this.connect(binary.path);
        } catch (error) {
            const what = error instanceof Error ? error.message : String(error);
            this.output.appendLine(what);
            if (error instanceof NoBinary) this.become({ is: 'missing', why: what, brief: error.brief });
            else this.become({ is: 'failed', why: 'The daemon ended while it was starting. The log tells more.' });
        }
    }

    /** Also ends the daemon that windows share: the others come back to the new one by themselves. */
    async restart(): Promise<void> {
        await this.stop({ daemonToo: true });
        await this.start();
    }

    async stop({ daemonToo = false } = {}): Promise<void> {
        const client = this.client;
        this.client = undefined; // from here on its end is no accident
        if (daemonToo && client?.isRunning()) await client.sendRequest('heddle/stop').catch(() => undefined);
        if (client?.needsStop()) await client.stop(2000).catch(() => undefined);
        await client?.dispose(2000).catch(() => undefined);
        this.become({ is: 'stopped' });
    }

    dispose(): void {
        void this.stop();
        this.output.dispose();
        this.changed.dispose();
    }

    findings(): Promise<ListedFinding[]> {
        return this.ask(commands.findings);
    }

    witness(bug: string): Promise<Witness> {
        return this.ask(commands.showWitness, { bug, show: false });
    }

    async ask<Answer>(command: string, ...args: unknown[]): Promise<Answer> {
        if (!this.client || this.health_.is !== 'running') throw new Error('Heddle is not running.');
        return this.client.sendRequest('workspace/executeCommand', { command, arguments: args });
    }

    private offers(command: string): boolean {
        const offered = this.client?.initializeResult?.capabilities.executeCommandProvider?.commands;
        return offered?.includes(command) ?? false;
    }

    private become(health: Health): void {
        this.health_ = health;
        this.changed.fire(health);
    }

    private async connect(program: string): Promise<void> {
        const args = settings().get('shareDaemon', true) ? ['lsp', '--connect'] : ['lsp'];
        const server: ServerOptions = { command: program, args };
        let ready = false; // one that does not even start is not started again
        const client: LanguageClient = new QuietClient(
            'heddle',
            'Heddle',
            server,
            this.options(() => ready && this.client === client),
        );
        this.client = client;
        client.onNotification('heddle/status', (status: Status) => {
            ready = true; // it may have said so, and have ended again, before the library tells that it has started
            if (this.client === client) this.become({ is: 'running', status });
        });
        client.onDidChangeState(({ newState }) => {
            if (this.client !== client) return;
            if (newState === State.Starting) this.become({ is: 'starting' });
        });
        await client.start();
        // One that ends at the right moment leaves a client that has started, with nobody at the other end.
        if (!ready && (!client.initializeResult || !client.isRunning())) throw new Error('The connection was closed.');
        ready = true;
        if (!client.isRunning()) return; // it is being started again
        await client.setTrace(Trace.Off);
        if (!this.offers(commands.findings)) {
            await this.stop();
            throw new NoBinary(
                'The daemon that is running is older than this extension. End it with "heddle stop", then restart Heddle.',
                'too old',
            );
        }
        if (this.health_.is !== 'running') this.become({ is: 'running', status: undefined });
    }

    private options(isWanted: () => boolean): LanguageClientOptions {
        const names = settingNames(this.context.extension.packageJSON);
        return {
            documentSelector: ['c', 'cpp'].map((language) => ({ language, scheme: 'file' })),
            outputChannel: this.output,
            initializationOptions: { status: true, heddle: settingsForDaemon(names) },
            synchronize: { configurationSection: 'heddle' },
            connectionOptions: { maxRestartCount: restartsInARow },
            errorHandler: new Restarts(isWanted, () => {
                const why = `The daemon ended ${restartsInARow + 1} times within a minute. The log tells more.`;
                this.output.appendLine(why);
                this.become({ is: 'failed', why });
            }),
            initializationFailedHandler: () => false, // `start` tells
            middleware: this.middleware(names),
        };
    }

    private middleware(names: string[]): Middleware {
        return {
            workspace: {
                configuration: (params) => params.items.map(() => settingsForDaemon(names)),
            },
            provideHover: async (document, position, token, next) => {
                const hover = await next(document, position, token);
                return hover && withoutSentence(hover);
            },
            // Actions of the daemon come here as its commands: what has a view of its own in this window goes there.
            executeCommand: async (command, args: { bug?: string }[], next) => {
                const bug = args[0]?.bug;
                if (bug !== undefined && command === commands.showWitness) return this.intercept().showWitness(bug);
                if (bug !== undefined && command === commands.replay) return this.intercept().replay(bug);
                return next(command, args);
            },
        };
    }
}
