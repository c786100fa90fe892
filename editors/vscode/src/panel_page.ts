// The page in the witness panel: hands the witness to the drawing, and what the person does to the extension.
import { hasSource } from '../../witness-view/witness_story.mjs';
import { drawWitness } from '../../witness-view/witness_view.mjs';
import type { FromPage, SourceStep, ToPage } from './protocol';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const editor = acquireVsCodeApi();
const headline = document.getElementById('headline') as HTMLElement;
const place = document.getElementById('witness') as HTMLElement;

type Finding = Parameters<typeof drawWitness>[1];
type Step = Parameters<typeof hasSource>[0];

function tell(type: 'activate' | 'open', step: Step): void {
    if (hasSource(step)) editor.postMessage({ type, step: step as SourceStep });
}

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    if (data.type !== 'witness') return;
    headline.textContent = `${data.witness.headline} (${data.witness.state})`;
    const view = drawWitness(place, data.witness as unknown as Finding, {
        label: data.witness.headline,
        onActivate: (step) => tell('activate', step),
        onOpen: (step) => tell('open', step),
    });
    view.focus();
});

editor.postMessage({ type: 'ready' });
