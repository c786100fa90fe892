// Shows a step of a schedule where it is in the source: the line marked, the step beside it.
import * as path from 'node:path';
import * as vscode from 'vscode';

import type { SourceStep, Witness } from './protocol';

export class StepDecoration implements vscode.Disposable {
    private readonly plain = vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed, // a line that is put above it is no part of it
        backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
        overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
        overviewRulerLane: vscode.OverviewRulerLane.Full,
        after: { margin: '0 0 0 2em', fontStyle: 'italic', color: new vscode.ThemeColor('editor.foreground') },
    });
    private marked: { document: vscode.TextDocument; version: number; options: vscode.DecorationOptions } | undefined;
    private readonly following = vscode.window.onDidChangeVisibleTextEditors((editors) => this.restore(editors));

    /** Beside the panel, in the first column. The cursor, and the focus, stay where they are unless they are to move there. */
    async show(witness: Witness, step: SourceStep, goThere: boolean): Promise<void> {
        const file = vscode.Uri.file(path.resolve(witness.folder, step.file));
        const document = await vscode.workspace.openTextDocument(file);
        const line = document.lineAt(Math.min(Math.max(step.line - 1, 0), document.lineCount - 1));
        const at = new vscode.Position(line.lineNumber, Math.min(Math.max(step.column - 1, 0), line.text.length));
        const editor = await vscode.window.showTextDocument(document, {
            viewColumn: vscode.ViewColumn.One,
            preserveFocus: !goThere,
            ...(goThere ? { selection: new vscode.Range(at, at) } : {}),
        });
        editor.revealRange(line.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        const words = step.value ? `${step.words} ${step.value}` : step.words;
        const note = `${step.marked ? '⚡' : '◀'} ${step.step}/${witness.witness.story.shown} ${step.full_name}: ${words}`;
        const range = new vscode.Range(at, line.range.end);
        const options = { range, renderOptions: { after: { contentText: note } } };
        this.clear();
        this.marked = { document, version: document.version, options };
        this.restore(vscode.window.visibleTextEditors);
    }

    clear(): void {
        this.marked = undefined;
        for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.plain, []);
    }

    dispose(): void {
        this.following.dispose();
        this.plain.dispose();
    }

    /**
     * An editor that comes back to the front is another one, and has none of the old one's decorations. Those of an editor that
     * stays move with its text, which the line from here would not do.
     */
    private restore(editors: readonly vscode.TextEditor[]): void {
        const { marked } = this;
        if (!marked || marked.document.version !== marked.version) return;
        const here = editors.filter((editor) => editor.document === marked.document);
        for (const editor of here) editor.setDecorations(this.plain, [marked.options]);
    }
}
