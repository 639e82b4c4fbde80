import { ServerError } from '../errors.ts';
import { pause } from '../retry.ts';
import { demoElsewhere, demoScenario, demoTask } from '../scenario/demo-scenario.ts';
import { offeredFromDefinition } from '../scenario/offered-tool.ts';
import { pieces, type PlayedTurn, playTurn } from '../scenario/player.ts';
import type { Scenario, ScenarioPace, ScenarioTurn } from '../scenario/types.ts';
import type { Adapter, Message, Request } from '../types.ts';
import type { AdapterConfig } from './adapter.ts';
import { runWire, type WireState } from './run.ts';

/** Quick reading speed; the whole script takes well under 20 s. */
const readingPace: ScenarioPace = { chunkCharacters: 12, delayMs: 30 };

/** The scripted model: no network, no key. Which turn comes next is read off the history, so a reload or a fork goes on rightly. */
export function createDemoAdapter(config: AdapterConfig, pace: ScenarioPace = readingPace): Adapter {
	return {
		stream: (request) =>
			runWire(config.name, request, (state) => play(request, state, demoTurn(request.messages), pace))
	};
}

/** The turn that follows this history. */
export function demoTurn(messages: Message[], scenario: Scenario = demoScenario): ScenarioTurn {
	const asked = messages.findLastIndex((message) => message.role === 'user' && isTask(textOf(message)));
	const last = messages.at(-1);
	const spokenSince = messages.slice(asked + 1);
	const somethingElse = last?.role === 'user' && last !== messages[asked] && textOf(last) !== '';
	const afterwards = scenario.afterwards ?? { text: '' };
	if (asked === -1 || somethingElse) return afterwards;
	const said = spokenSince.filter((message) => message.role === 'assistant').length;
	if (said === 1 && !sawSample(spokenSince)) return { text: demoElsewhere };
	return scenario.turns[said] ?? afterwards;
}

function isTask(text: string): boolean {
	return text.includes(demoTask) || /\b(fix|tests?|bug|umlauts?|german)\b/i.test(text);
}

/** The listing names the directory the script will go to, and its package. */
function sawSample(messages: Message[]): boolean {
	const results = messages.flatMap((message) => message.content).filter((part) => part.type === 'tool_result');
	return results.some((result) => /\bsrc\b/.test(result.content) && /\bpackage\.json\b/.test(result.content));
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
