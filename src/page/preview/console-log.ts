import type { Place } from './source-map.ts';
import { t } from '../strings/index.ts';

export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug';

/** A line of the console panel. */
export interface ConsoleLine {
	id: number;
	level: ConsoleLevel;
	text: string;
	place: Place | null;
	/** Number of consecutive repetitions. */
	count: number;
}

/** Maximum number of lines, newest first; a document in a loop must not fill the memory. */
const KEPT = 500;
const TEXT_LENGTH = 10_000;
/** Limits for text sent to the agent: characters and lines. */
const SENT_LENGTH = 600;
const SENT_LINES = 40;

/** Adds a line; a repetition of the last line only increases its count. */
export function addLine(lines: readonly ConsoleLine[], line: Omit<ConsoleLine, 'id' | 'count'>): ConsoleLine[] {
	const text = line.text.slice(0, TEXT_LENGTH);
	const last = lines.at(-1);
	if (last?.text === text && last.level === line.level && placeText(last.place) === placeText(line.place))
		return [...lines.slice(0, -1), { ...last, count: last.count + 1 }];
	return [...lines.slice(-KEPT + 1), { ...line, text, id: (last?.id ?? 0) + 1, count: 1 }];
}

/** Formats a position as `src/app.js:3:7`; empty if it is unknown. */
export function placeText(place: Place | null): string {
	return place ? `${place.file}:${place.line}:${place.column}` : '';
}

/** Text for the composer: its source, then a block with the lines. */
export function agentMessage(shown: string, lines: readonly ConsoleLine[]): string {
	const body = lines.slice(-SENT_LINES).map(({ level, text, place, count }) => {
		const short = text.length > SENT_LENGTH ? `${text.slice(0, SENT_LENGTH)}…` : text;
		return [level, placeText(place), short, count > 1 ? `(${count} times)` : ''].filter(Boolean).join(' ');
	});
	// Backquotes in the output must not end the block.
	const fence = '`'.repeat(Math.max(3, ...body.map((line) => (/`+/.exec(line)?.[0].length ?? 0) + 1)));
	return `${t.preview.toAgent(shown)}\n\n${fence}\n${body.join('\n')}\n${fence}\n`;
}
