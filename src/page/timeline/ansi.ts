/** A run of a command's output in one style. */
export interface AnsiSpan {
	text: string;
	/** Class names; empty for plain text. */
	style: string;
}

const SEQUENCE = /\u001b\[([0-9;]*)m/g;
/** All other terminal sequences, which are removed. */
const OTHER = /\u001b(?:\[[0-9;?]*[ -/]*[@-ln-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/**
 * Splits output into runs by its color sequences. Overwritten lines appear in their final state; other sequences are
 * removed.
 */
export function ansiSpans(output: string): AnsiSpan[] {
	const text = output
		.replace(OTHER, '')
		.replace(/\r\n/g, '\n')
		.replace(/^.*\r(?!$)/gm, '');
	const spans: AnsiSpan[] = [];
	const state = { colour: '', bold: false, dim: false };
	let from = 0;
	const push = (to: number): void => {
		if (to > from) spans.push({ text: text.slice(from, to), style: styleOf(state) });
	};
	for (const match of text.matchAll(SEQUENCE)) {
		push(match.index);
		from = match.index + match[0].length;
		apply(state, match[1] ?? '');
	}
	push(text.length);
	return spans;
}

interface State {
	colour: string;
	bold: boolean;
	dim: boolean;
}

function styleOf({ colour, bold, dim }: State): string {
	return [colour && `ansi-${colour}`, bold && 'ansi-bold', dim && 'ansi-dim'].filter(Boolean).join(' ');
}

/** Applies Select Graphic Rendition (ECMA-48 §8.3.117), as far as it affects text here. */
function apply(state: State, parameters: string): void {
	const codes = parameters === '' ? [0] : parameters.split(';').map(Number);
	for (let at = 0; at < codes.length; at += 1) {
		const code = codes[at] ?? 0;
		if (code === 0) Object.assign(state, { colour: '', bold: false, dim: false });
		else if (code === 1) state.bold = true;
		else if (code === 2) state.dim = true;
		else if (code === 22) Object.assign(state, { bold: false, dim: false });
		else if (code === 39) state.colour = '';
		else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) state.colour = COLOURS[code % 10] ?? '';
		// Indexed and RGB colors have additional parameters.
		else if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : 2;
	}
}
