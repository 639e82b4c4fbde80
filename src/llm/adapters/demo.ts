import { ServerError } from '../errors.ts';
import { pause } from '../retry.ts';
import { demoScenario } from '../scenario/demo-scenario.ts';
import { type DemoScript, onlyScript } from '../scenario/demo-script.ts';
import { offeredFromDefinition } from '../scenario/offered-tool.ts';
import { pageScenario } from '../scenario/page-scenario.ts';
import { pieces, type PlayedTurn, playTurn } from '../scenario/player.ts';
import type { ScenarioPace, ScenarioTurn } from '../scenario/types.ts';
import type { Adapter, Message, Request } from '../types.ts';
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

const scripts: readonly DemoScript[] = [demoScenario, pageScenario];

/**
 * Returns the turn that follows this history. If the project is not as the script expects, the script reports that and
 * stops.
 */
export function demoTurn(messages: Message[]): ScenarioTurn {
	const afterwards = { text: onlyScript.afterwards };
	const asked = messages.findLastIndex((message) => message.role === 'user' && scriptFor(message) !== undefined);
	const task = messages[asked];
	const script = task && scriptFor(task);
	const last = messages.at(-1);
	const somethingElse = last?.role === 'user' && last !== task && textOf(last) !== '';
	if (!script || somethingElse || wasPlayed(messages.slice(0, asked), script)) return afterwards;
	const since = messages.slice(asked + 1);
	const turnsPlayed = since.filter((message) => message.role === 'assistant').length;
	const turn = script.turns[turnsPlayed];
	if (!turn) return afterwards;
	const latest = since.flatMap((message) => message.content).findLast((part) => part.type === 'tool_result');
	if (!latest) return turn;
	const failed = latest.isError && !turn.followsFailure;
	if (!failed && (turn.follows?.(latest) ?? true)) return turn;
	return { text: turnsPlayed === 1 ? script.elsewhere : script.surprised };
}

function scriptFor(message: Message): DemoScript | undefined {
	return scripts.find((script) => script.isTask(textOf(message)));
}

function wasPlayed(messages: Message[], script: DemoScript): boolean {
	const ending = script.turns.at(-1)?.text ?? '';
	return messages.some((message) => message.role === 'assistant' && textOf(message) === ending);
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
