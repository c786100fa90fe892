// Heddle in VS Code. The daemon knows everything; this starts it and shows what it says.
import * as vscode from 'vscode';

import { Commands } from './commands';
import { Daemon, type Health } from './daemon';
import { FindingsTree } from './findings_tree';
import { StatusBar } from './status_bar';
import { WitnessPanel } from './witness_panel';

const settled = 100; // milliseconds without news before the list of findings is asked for

/** Tells the person once what is wrong, and offers what can be done. */
async function tellProblem(why: string): Promise<void> {
    const actions: Record<string, [string, ...unknown[]]> = {
        'Open Settings': ['workbench.action.openSettings', 'heddle.path'],
        'Show Log': ['heddle.showLog'],
        Restart: ['heddle.restart'],
    };
    const chosen = await vscode.window.showErrorMessage(`Heddle: ${why}`, ...Object.keys(actions));
    const action = chosen === undefined ? undefined : actions[chosen];
    if (action) await vscode.commands.executeCommand(...action);
}

const setContext = (name: string, value: boolean): Thenable<unknown> =>
    vscode.commands.executeCommand('setContext', `heddle.${name}`, value);

class Heddle implements vscode.Disposable {
    readonly daemon: Daemon;
    private readonly bar = new StatusBar();
    private readonly tree = new FindingsTree();
    private readonly view = vscode.window.createTreeView('heddle.findings', { treeDataProvider: this.tree });
    private readonly panel: WitnessPanel;
    private readonly commands: Commands;
    private readonly rest: vscode.Disposable[];
    private asking: NodeJS.Timeout | undefined;

    constructor(context: vscode.ExtensionContext) {
        this.daemon = new Daemon(context, () => this.commands);
        const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
        this.panel = new WitnessPanel(dist, (bug) => this.daemon.witness(bug));
        this.commands = new Commands(this.daemon, this.tree, this.panel);
        this.bar.show(this.daemon.health);
        this.rest = [
            ...this.commands.register(),
            this.daemon.onHealth((health) => this.tell(health)),
            vscode.languages.onDidChangeDiagnostics(() => this.askSoon()),
            vscode.workspace.onDidGrantWorkspaceTrust(() => void this.daemon.start()),
            vscode.workspace.onDidChangeConfiguration((event) => {
                if (['path', 'shareDaemon'].some((name) => event.affectsConfiguration(`heddle.${name}`)))
                    void this.daemon.restart();
            }),
        ];
    }

    dispose(): void {
        clearTimeout(this.asking);
        for (const one of [...this.rest, this.daemon, this.panel, this.view, this.bar]) one.dispose();
    }

    private tell(health: Health): void {
        this.bar.show(health);
        const running = health.is === 'running';
        void setContext('running', running);
        void setContext('canReplay', running && this.daemon.canReplay);
        void setContext('hasTraces', running && (health.status?.traces ?? 0) > 0);
        if (health.is === 'missing' || health.is === 'failed') void tellProblem(health.why);
        this.askSoon();
    }

    /** Diagnostics and the status come in bursts, and the list is the same for all of them. */
    private askSoon(): void {
        clearTimeout(this.asking);
        this.asking = setTimeout(() => void this.askForFindings(), settled);
    }

    private async askForFindings(): Promise<void> {
        const running = this.daemon.health.is === 'running';
        const findings = running ? await this.daemon.findings().catch(() => []) : [];
        this.tree.show(findings);
        if (running) this.panel.follow(findings);
        this.view.badge =
            findings.length > 0 ? { value: findings.length, tooltip: `${findings.length} findings` } : undefined;
    }
}

let heddle: Heddle | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    heddle = new Heddle(context);
    context.subscriptions.push(heddle);
    await heddle.daemon.start();
}

export async function deactivate(): Promise<void> {
    await heddle?.daemon.stop();
    heddle = undefined;
}
