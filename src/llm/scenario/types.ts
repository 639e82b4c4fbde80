/**
 * A scripted mind: a list of assistant turns, written once and served either over a provider's
 * wire (`test/model-server/`) or as the demo model in the page. Each request takes the next turn.
 */
export interface Scenario {
	name: string;
	turns: ScenarioTurn[];
	/** Served when the turns have run out. Absent: the request fails with a clear error. */
	afterwards?: ScenarioTurn;
}

export interface ScenarioTurn {
	reasoning?: string;
	text?: string;
	toolCalls?: ScenarioToolCall[];
	/** The turn fails instead, or after what it says so far. */
	fault?: ScenarioFault;
	/** Overrides what follows from the turn: `tool_calls` when there are any, else `stop`. */
	finishReason?: string;
	usage?: Partial<{ input: number; output: number; reasoning: number; cacheRead: number; cacheWrite: number }>;
	pace?: ScenarioPace;
	/** Served only to a request that satisfies it; used to assert on what the loop sent. */
	expect?: (request: unknown) => void;
}

export interface ScenarioToolCall {
	/** Absent: made by the player. Present twice: a duplicate id, on purpose. */
	id?: string;
	/** A neutral tool name; the player gives it the name the asking profile uses, found in the request's tools. */
	name: string;
	arguments: Record<string, unknown>;
	/** Sent instead of the arguments' JSON, e.g. malformed on purpose. */
	rawArguments?: string;
	/** Name and arguments go out as they stand, whatever the request offers. */
	verbatim?: boolean;
}

/** Streams text and arguments in pieces of this many characters, `delayMs` apart (0: as fast as it can). */
export interface ScenarioPace {
	chunkCharacters: number;
	delayMs: number;
}

export type ScenarioFault =
	| { kind: 'status'; status: number; retryAfterSeconds?: number; body?: string }
	/** Closes the connection after this many bytes of the body. */
	| { kind: 'cut'; afterBytes: number }
	/** Keeps the connection open in silence after this many bytes. */
	| { kind: 'stall'; afterBytes: number }
	| { kind: 'garbage'; body: string };
