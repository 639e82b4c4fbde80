import type { ScenarioTurn } from '#llm/scenario/types.ts';

const BLANK = /<<(.+?)>>/g;

/**
 * Replaces `<<regular expression>>` in a turn's arguments with the last match in the request: an id that only the run
 * itself knows. A blank without a match is an error in the script.
 */
export function fillBlanks(turn: ScenarioTurn, request: string): ScenarioTurn {
	if (!turn.toolCalls) return turn;
	const fill = (value: unknown): unknown => {
		if (typeof value === 'string') return value.replace(BLANK, (_, source: string) => lastMatch(source, request));
		if (Array.isArray(value)) return value.map(fill);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
	};
	const filled = turn.toolCalls.map((call) => ({
		...call,
		arguments: Object.fromEntries(Object.entries(call.arguments).map(([key, value]) => [key, fill(value)]))
	}));
	return { ...turn, toolCalls: filled };
}

function lastMatch(source: string, text: string): string {
	const found = [...text.matchAll(new RegExp(source, 'g'))].at(-1)?.[0];
	if (found === undefined) throw new Error(`Nothing in the request fits the blank <<${source}>>.`);
	return found;
}
