// The page in the witness panel: hands the witness to the drawing, and what the person does to the extension.
import { hasSource } from '../../witness-view/witness_story.mjs';
import { drawWitness } from '../../witness-view/witness_view.mjs';
import type { FromPage, SourceStep, ToPage } from './protocol';

/** Where the person is: the page is made anew each time its tab comes to the front. */
interface Kept {
    bug: string;
    observed: boolean;
    step: number;
}

declare function acquireVsCodeApi(): {
    postMessage(message: FromPage): void;
    getState(): Kept | undefined;
    setState(kept: Kept): void;
};

const editor = acquireVsCodeApi();
const headline = document.getElementById('headline') as HTMLElement;
const place = document.getElementById('witness') as HTMLElement;

type Finding = Parameters<typeof drawWitness>[1];
type Step = Parameters<typeof hasSource>[0];

function tell(type: 'activate' | 'open', step: Step): void {
    if (hasSource(step)) editor.postMessage({ type, step: step as SourceStep });
}

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    if (data.type === 'state') {
        headline.textContent = data.headline;
        return;
    }
    const { bug, headline: label } = data.witness;
    const kept = editor.getState();
    const view = drawWitness(place, data.witness as unknown as Finding, {
        label,
        onActivate: (step) => {
            editor.setState({ bug, observed: view.observed, step: step.step });
            tell('activate', step);
        },
        onOpen: (step) => tell('open', step),
    });
    if (kept?.bug === bug) {
        view.showObserved(kept.observed);
        view.activate(kept.step, { quiet: true });
    } else {
        view.activate(view.current); // the source shows where the schedule ends
    }
    view.focus();
});

editor.postMessage({ type: 'ready' });
