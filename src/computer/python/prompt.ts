import type { ProcessContext } from '#computer/process/program.ts';
import type { Completion } from '#computer/terminal/completion.ts';
import { History } from '#computer/terminal/history.ts';
import { LineEditor } from '#computer/terminal/line-editor.ts';

/** Input at a prompt: a line, or the key that ended it. */
export type Prompted = ['line', string] | ['cancel' | 'end', ''];

const INDENT = '    ';

/**
 * Reads lines at the terminal with readline's keys, for Python's own prompts.
 *
 * @returns function that takes the prompt, its history file, and the completer of a word (names, one per line)
 */
export function promptReader({ sync }: ProcessContext) {
	const editors = new Map<string, { editor: LineEditor; history: History }>();
	let complete: (before: string) => string = () => '';
	const open = (file: string, cancelled: string) => {
		const history = new History(sync, file);
		const terminal = {
			write: (text: string) => sync.write(1, new TextEncoder().encode(text)),
			columns: () => sync.terminalSize().columns
		};
		const made = {
			history,
			editor: new LineEditor(terminal, history, (text) => completion(text, complete), cancelled)
		};
		editors.set(file, made);
		return made;
	};
	return (prompt: string, file: string, completer: (before: string) => string, cancelled: string): Prompted => {
		complete = completer;
		const { editor, history } = editors.get(file) ?? open(file, cancelled);
		sync.terminalMode('raw');
		try {
			const read = editor.readSync(prompt, () => sync.read(0, 4096));
			if (read.kind !== 'line') return [read.kind, ''];
			history.add(read.text);
			return ['line', read.text];
		} finally {
			sync.terminalMode('cooked');
		}
	};
}

function completion(before: string, complete: (before: string) => string): Completion {
	if (before.trim() === '') return { replaces: 0, choices: [INDENT], labels: [] };
	const word = /[\w.]*$/.exec(before)?.[0] ?? '';
	const choices = complete(word).split('\n').filter(Boolean);
	return { replaces: word.length, choices, labels: choices };
}
