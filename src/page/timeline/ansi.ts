/** A run of a command's output in one style. */
export interface AnsiSpan {
	text: string;
	/** Class names; empty for plain text. */
	style: string;
}

const SEQUENCE = /\u001b\[([0-9;]*)m/g;
/** Everything else that a terminal would obey, and not show. */
const OTHER = /\u001b(?:\[[0-9;?]*[ -/]*[@-ln-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Splits output into runs by its colour sequences. Overwritten lines are as they ended; other sequences are removed. */
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

/** Select Graphic Rendition (ECMA-48 §8.3.117), as far as text has a colour here. */
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
		// A colour by number or value has parameters of its own.
		else if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : 2;
	}
}
