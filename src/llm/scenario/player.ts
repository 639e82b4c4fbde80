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

/** A turn in the terms of one request, ready to be sent over a wire. */
export interface PlayedTurn {
	reasoning: string;
	text: string;
	calls: PlayedCall[];
	/** Reason set by the turn, else `tool_calls` or `stop`. */
	finishReason: string;
	usage: { input: number; output: number; reasoning: number; cacheRead: number; cacheWrite: number };
}

/** Serves a scenario's turns, one per request. */
export class ScenarioPlayer {
	private position = 0;

	constructor(private readonly scenario: Scenario) {}

	/**
	 * Returns the next turn.
	 * @throws Error if the turns have run out and there is no `afterwards`
	 */
	next(): ScenarioTurn {
		const turn = this.scenario.turns[this.position] ?? this.scenario.afterwards;
		this.position++;
		if (turn) return turn;
		throw new Error(`The scenario "${this.scenario.name}" has no turn for request ${this.position}.`);
	}
}

/**
 * Converts a turn to the tools of a request.
 * @param tools offered by the request; calls use these tools' names and parameters
 * @param makeId creates ids for calls without one
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
	const characters = reasoning.length + text.length + calls.reduce((sum, call) => sum + call.argumentsText.length, 0);
	return {
		reasoning,
		text,
		calls,
		finishReason: turn.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
		usage: {
			input: 100,
			output: Math.ceil(characters / 4),
			reasoning: Math.ceil(reasoning.length / 4),
			cacheRead: 0,
			cacheWrite: 0,
			...turn.usage
		}
	};
}

/** Splits a text into pieces of at most `size` characters, without splitting surrogate pairs. */
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
