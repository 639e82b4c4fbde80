import type { DiffColors, DiffSlot } from './colors.ts';
import type { DiffFormat } from './format.ts';
import { movedMarks, type MovedMark } from './moved.ts';
import { checkBlanks, type WhitespaceRule } from './whitespace-rule.ts';

/** A line of a patch before it is colored. */
export type PatchLine =
	/** Header lines; the text may contain several. */
	| { kind: 'meta'; text: string }
	/** `@@ -1 +1 @@` */
	| { kind: 'hunk'; range: string; heading: string }
	| { kind: 'old' | 'new' | 'context'; text: string; rule: WhitespaceRule; isBlankEnd: boolean }
	/** `\ No newline at end of file` */
	| { kind: 'no newline' }
	/** Printed unchanged. */
	| { kind: 'raw'; text: string };

/** Formats lines for printing, with the colors of a format. */
export function paintedLines(lines: readonly PatchLine[], format: DiffFormat): string {
	const marks = format.moved && format.colors ? movedMarks(lines.map(movable), format.moved) : null;
	const painter = new Painter(format);
	const text = lines.map((line, i) => painter.line(line, marks?.[i] ?? null)).join('');
	return format.linePrefix === '' ? text : text.replace(/^(?=[^])/gm, format.linePrefix);
}

const movable = (line: PatchLine) =>
	line.kind === 'old' || line.kind === 'new'
		? { kind: line.kind, text: line.text, tabWidth: line.rule.tabWidth }
		: { kind: 'other' as const, text: '', tabWidth: 8 };

class Painter {
	readonly #colors: DiffColors | null;

	constructor(private readonly format: DiffFormat) {
		this.#colors = format.colors;
	}

	line(line: PatchLine, mark: MovedMark | null): string {
		switch (line.kind) {
			case 'raw':
				return line.text;
			case 'meta':
				return line.text
					.split('\n')
					.map((one) => (one === '' ? '' : this.#in('meta', one)))
					.join('\n');
			case 'hunk': {
				const heading = line.heading === '' ? '' : this.#in('context', ' ') + this.#in('func', line.heading);
				return `${this.#in('frag', line.range)}${heading}\n`;
			}
			case 'no newline':
				return `${this.#in('context', '\\ No newline at end of file')}\n`;
			default:
				return this.#content(line, mark);
		}
	}

	#in(slot: DiffSlot, text: string): string {
		return this.#colors ? `${this.#colors[slot]}${text}${this.#colors.reset}` : text;
	}

	#content(line: Extract<PatchLine, { rule: WhitespaceRule }>, mark: MovedMark | null): string {
		const { kind } = line;
		const sign = this.format.signs[kind];
		const colors = this.#colors;
		if (!colors) {
			if (kind === 'context' && line.text === '\n' && this.format.bareBlanks) return '\n';
			return sign + ended(line.text);
		}
		const slot = mark && kind !== 'context' ? movedSlot(kind, mark) : kind;
		const color = colors[slot];
		const wrong = this.format.highlighted[kind] ? colors.whitespace : '';
		const [, text = '', cr = ''] = /^([^]*?)(\r?)\n?$/.exec(line.text) ?? [];
		if (kind === 'context' && line.text === '\n' && this.format.bareBlanks) return '\n';
		if (wrong === '') return `${color}${sign}${text}${colors.reset}${cr}\n`;
		if (line.isBlankEnd) return `${wrong}${sign}${text}${colors.reset}${cr}\n`;
		const { parts } = checkBlanks(text + cr, line.rule);
		const painted = parts.map((part) =>
			part.kind === 'plain'
				? `${color}${part.text}${colors.reset}`
				: part.kind === 'wrong'
					? `${wrong}${part.text}${colors.reset}`
					: part.text
		);
		return `${color}${sign}${colors.reset}${painted.join('')}\n`;
	}
}

const ended = (line: string): string => (line.endsWith('\n') ? line : `${line}\n`);

function movedSlot(kind: 'old' | 'new', { isAlternative, isDimmed }: MovedMark): DiffSlot {
	const which = isAlternative ? 'Alternative' : '';
	return `${kind}Moved${which}${isDimmed ? 'Dimmed' : ''}`;
}
