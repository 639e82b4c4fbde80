import { type AdaptedCall, adaptCall } from './dialects.ts';
import type { OfferedTool } from './offered-tool.ts';
import type { Scenario, ScenarioTurn } from './types.ts';

export interface PlayedCall {
	id: string;
	name: string;
	/** JSON, or the whole text of a free-form tool. */
	argumentsText: string;
	custom: boolean;
}

/** A turn in the words of one request, ready to be put on a wire. */
export interface PlayedTurn {
	reasoning: string;
	text: string;
	calls: PlayedCall[];
	/** The turn's own word, or `tool_calls` or `stop`. */
	finishReason: string;
	usage: { input: number; output: number; reasoning: number; cacheRead: number; cacheWrite: number };
}

/** Hands out a scenario's turns, one a request. */
export class ScenarioPlayer {
	private position = 0;

	constructor(private readonly scenario: Scenario) {}

	/** @throws Error when the turns have run out and there is no `afterwards`. */
	next(): ScenarioTurn {
		const turn = this.scenario.turns[this.position] ?? this.scenario.afterwards;
		this.position++;
		if (turn) return turn;
		throw new Error(`The scenario "${this.scenario.name}" has no turn for request ${this.position}.`);
	}
}

/**
 * @param tools What the request offers; calls are said in these tools' names and parameters.
 * @param makeId Gives calls without an id one of their own.
 */
export function playTurn(turn: ScenarioTurn, tools: OfferedTool[], makeId: () => string): PlayedTurn {
	const calls = (turn.toolCalls ?? []).map((call): PlayedCall => {
		const { name, arguments: args } = call;
		const adapted: AdaptedCall = call.verbatim ? { name, arguments: args } : adaptCall(name, args, tools);
		return {
			id: call.id ?? makeId(),
			name: adapted.name,
			argumentsText: call.rawArguments ?? adapted.input ?? JSON.stringify(adapted.arguments),
			custom: adapted.input !== undefined
		};
	});
	const reasoning = turn.reasoning ?? '';
	const text = turn.text ?? '';
	const said = reasoning.length + text.length + calls.reduce((sum, call) => sum + call.argumentsText.length, 0);
	return {
		reasoning,
		text,
		calls,
		finishReason: turn.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
		usage: {
			input: 100,
			output: Math.ceil(said / 4),
			reasoning: Math.ceil(reasoning.length / 4),
			cacheRead: 0,
			cacheWrite: 0,
			...turn.usage
		}
	};
}

/** A text in pieces of at most `size` characters, never cutting a character in two. */
export function pieces(text: string, size: number): string[] {
	const found: string[] = [];
	let start = 0;
	while (start < text.length) {
		let end = Math.min(text.length, start + Math.max(1, size));
		const last = text.charCodeAt(end - 1);
		if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++;
		found.push(text.slice(start, end));
		start = end;
	}
	return found;
}
