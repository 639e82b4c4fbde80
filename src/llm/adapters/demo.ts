import { ServerError } from '../errors.ts';
import { pause } from '../retry.ts';
import { demoElsewhere, demoScenario, demoSurprised } from '../scenario/demo-scenario.ts';
import { offeredFromDefinition } from '../scenario/offered-tool.ts';
import { pieces, type PlayedTurn, playTurn } from '../scenario/player.ts';
import type { Scenario, ScenarioPace, ScenarioTurn } from '../scenario/types.ts';
import type { Adapter, Message, Request, ToolResultPart } from '../types.ts';
import type { AdapterConfig } from './adapter.ts';
import { runWire, type WireState } from './run.ts';

/** Fast reading speed; the whole script takes well under 20 s. */
const readingPace: ScenarioPace = { chunkCharacters: 12, delayMs: 30 };

/**
 * The scripted model: no network, no key. The next turn is derived from the history, so that the script
 * continues correctly after a reload or a fork.
 */
export function createDemoAdapter(config: AdapterConfig, pace: ScenarioPace = readingPace): Adapter {
	return {
		stream: (request) =>
			runWire(config.name, request, (state) => {
				const pieces = play(request, state, demoTurn(request.messages), pace);
				return Promise.resolve({
					next: async () => ((await pieces.next()).done ? null : [{}]),
					read: () => undefined,
					close: () => undefined
				});
			})
	};
}

/**
 * The turn that follows this history. If the project is not as the script expects, the script says so and
 * stops.
 */
export function demoTurn(messages: Message[], scenario: Scenario = demoScenario): ScenarioTurn {
	const asked = messages.findLastIndex((message) => message.role === 'user' && isTask(textOf(message)));
	const last = messages.at(-1);
	const afterwards = scenario.afterwards ?? { text: '' };
	const somethingElse = last?.role === 'user' && last !== messages[asked] && textOf(last) !== '';
	if (asked === -1 || somethingElse || wasPlayed(messages.slice(0, asked), scenario)) return afterwards;
	const since = messages.slice(asked + 1);
	const turnsPlayed = since.filter((message) => message.role === 'assistant').length;
	const results = since.flatMap((message) => message.content).filter((part) => part.type === 'tool_result');
	const latest = results.at(-1);
	if (turnsPlayed === 1 && !sawSample(latest)) return { text: demoElsewhere };
	const isLast = turnsPlayed === scenario.turns.length - 1;
	// The first test run is supposed to fail.
	const failed = latest?.isError && turnsPlayed !== 2;
	if (failed || (isLast && testsFailed(latest))) return { text: demoSurprised };
	return scenario.turns[turnsPlayed] ?? afterwards;
}

function isTask(text: string): boolean {
	return /\b(german|umlauts?)\b/i.test(text) || (/\bfix\b/i.test(text) && /\b(tests?|bug)\b/i.test(text));
}

function wasPlayed(messages: Message[], scenario: Scenario): boolean {
	const ending = scenario.turns.at(-1)?.text ?? '';
	return messages.some((message) => message.role === 'assistant' && textOf(message) === ending);
}

/** The listing contains the directory that the script will open, and its package. */
function sawSample(listing: ToolResultPart | undefined): boolean {
	return listing !== undefined && /\bsrc\b/.test(listing.content) && /\bpackage\.json\b/.test(listing.content);
}

/** Checks whether the report of `node --test` counts a failed test. */
function testsFailed(run: ToolResultPart | undefined): boolean {
	return run !== undefined && /^\S* ?fail [1-9]/m.test(run.content);
}

function textOf(message: Message): string {
	return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

async function* play(request: Request, state: WireState, turn: ScenarioTurn, pace: ScenarioPace) {
	const { assembler, usage } = state;
	if (turn.fault) throw new ServerError({ provider: request.provider });
	const played: PlayedTurn = playTurn(
		turn,
		(request.tools ?? []).map(offeredFromDefinition),
		() => `demo_${crypto.randomUUID()}`
	);
	const { chunkCharacters, delayMs } = turn.pace ?? pace;
	const say = async function* (text: string, put: (piece: string) => void) {
		for (const piece of pieces(text, chunkCharacters)) {
			await pause(delayMs, request.signal);
			request.signal?.throwIfAborted();
			put(piece);
			yield;
		}
	};
	state.id = `demo_${crypto.randomUUID()}`;
	yield* say(played.reasoning, (piece) => assembler.reasoning(piece));
	yield* say(played.text, (piece) => assembler.text(piece));
	for (const call of played.calls) {
		assembler.startCall(call.id, call.id, call.name, call.custom);
		yield* say(call.argumentsText, (piece) => assembler.callDelta(call.id, piece));
		assembler.endCall(call.id);
	}
	usage.inputTokens = played.usage.input;
	usage.outputTokens = played.usage.output;
	usage.reasoningTokens = played.usage.reasoning;
	state.finishReason = played.finishReason === 'tool_calls' ? 'tool_calls' : 'stop';
	state.rawFinishReason = played.finishReason;
}
