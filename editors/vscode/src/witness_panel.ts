// The panel that draws a witness. One a window: the next witness takes its place.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import { stateWords } from './findings_tree';
import type { FromPage, ListedFinding, SourceStep, ToPage, Witness } from './protocol';
import { StepDecoration } from './step_decoration';

export class WitnessPanel implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;
    private witness: Witness | undefined;
    private state = '';
    private readonly decoration = new StepDecoration();

    /** `ask` has what the daemon knows of a witness at that moment. */
    constructor(
        private readonly dist: vscode.Uri,
        private readonly ask: (bug: string) => Promise<Witness>,
    ) {}

    show(witness: Witness): void {
        this.witness = witness;
        this.state = witness.state;
        const panel = this.panel ?? this.open();
        panel.title = `Witness: ${witness.headline}`;
        panel.reveal(panel.viewColumn ?? vscode.ViewColumn.Beside);
        this.send();
    }

    /** What is known now: a replay may have confirmed the finding, an edit or a run may have made it one of the past. */
    follow(findings: readonly ListedFinding[]): void {
        if (!this.witness) return;
        const finding = findings.find(({ bug }) => bug === this.witness?.bug);
        const state = finding ? stateWords(finding) : 'no longer among the findings';
        if (state === this.state) return;
        this.state = state;
        this.post({ type: 'state', headline: this.headline(this.witness) });
    }

    dispose(): void {
        this.panel?.dispose();
        this.decoration.dispose();
    }

    private open(): vscode.WebviewPanel {
        const panel = vscode.window.createWebviewPanel('heddle.witness', 'Witness', vscode.ViewColumn.Beside, {
            enableScripts: true,
            localResourceRoots: [this.dist],
        });
        this.panel = panel;
        panel.webview.onDidReceiveMessage((message: FromPage) => this.hear(message));
        panel.onDidDispose(() => {
            this.panel = undefined;
            this.witness = undefined;
            this.decoration.clear();
        });
        panel.webview.html = this.page(panel.webview);
        return panel;
    }

    private send(): void {
        if (!this.witness) return;
        this.post({ type: 'witness', witness: this.witness });
        this.post({ type: 'state', headline: this.headline(this.witness) });
    }

    private headline(witness: Witness): string {
        return `${witness.headline} (${this.state})`;
    }

    private post(message: ToPage): void {
        void this.panel?.webview.postMessage(message);
    }

    private async hear(message: FromPage): Promise<void> {
        if (message.type === 'ready') return this.send();
        if (!this.witness) return;
        try {
            const step = await this.asOfNow(this.witness, message.step);
            await this.decoration.show(this.witness, step, message.type === 'open');
        } catch {
            void vscode.window.showWarningMessage(
                `${message.step.file} cannot be opened: is it the source that was recorded?`,
            );
        }
    }

    /** The step where the source has it by now; as it was drawn, once the finding is gone. */
    private async asOfNow({ bug }: Witness, step: SourceStep): Promise<SourceStep> {
        const now = await this.ask(bug).catch(() => undefined);
        const moved = now?.witness.story.rows.find((row) => row.event === step.event);
        return moved?.event === undefined ? step : { ...step, line: moved.line, column: moved.column };
    }

    private page(webview: vscode.Webview): string {
        const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.dist, name)).toString();
        const nonce = randomBytes(16).toString('base64');
        const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
        return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Witness</title>
<link rel="stylesheet" href="${uri('witness_view.css')}">
<link rel="stylesheet" href="${uri('panel_page.css')}">
</head>
<body>
<main>
<h1 id="headline"></h1>
<div id="witness"></div>
</main>
<script type="module" nonce="${nonce}" src="${uri('panel_page.js')}"></script>
</body>
</html>`;
    }
}
