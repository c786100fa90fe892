// Shows a step of a schedule where it is in the source: the line marked, the step beside it.
import * as path from 'node:path';
import * as vscode from 'vscode';

import type { SourceStep, Witness } from './protocol';

export class StepDecoration implements vscode.Disposable {
    private readonly plain = vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
        overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
        overviewRulerLane: vscode.OverviewRulerLane.Full,
        after: { margin: '0 0 0 2em', color: new vscode.ThemeColor('editorCodeLens.foreground') },
    });
    private shown: vscode.TextEditor | undefined;

    /** Beside the panel, in the first column; the focus stays where it is unless it is to move. */
    async show(witness: Witness, step: SourceStep, takeFocus: boolean): Promise<void> {
        const file = vscode.Uri.file(path.resolve(witness.folder, step.file));
        const document = await vscode.workspace.openTextDocument(file);
        const line = Math.min(Math.max(step.line - 1, 0), document.lineCount - 1);
        const at = new vscode.Position(line, Math.max(step.column - 1, 0));
        const editor = await vscode.window.showTextDocument(document, {
            viewColumn: vscode.ViewColumn.One,
            preserveFocus: !takeFocus,
            selection: new vscode.Range(at, at),
        });
        this.clear();
        const words = step.value ? `${step.words} ${step.value}` : step.words;
        const note = `${step.marked ? '⚡' : '◀'} ${step.step}/${witness.witness.story.shown} ${step.full_name}: ${words}`;
        editor.setDecorations(this.plain, [
            { range: document.lineAt(line).range, renderOptions: { after: { contentText: note } } },
        ]);
        this.shown = editor;
    }

    clear(): void {
        this.shown?.setDecorations(this.plain, []);
        this.shown = undefined;
    }

    dispose(): void {
        this.plain.dispose();
    }
}
