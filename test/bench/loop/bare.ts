import { answer, PROMPT } from './tasks.ts';
import type { Ask, BenchWire, Turn } from './wire.ts';

export interface Outcome {
	textCharacters: number;
	argumentCharacters: number;
	/** From a tool's output to the consumer of the events, in µs; if there are events. */
	delaysUs?: number[];
}

/** The minimal loop: ask, read, run the tools, ask again. */
export async function bareLoop<Item, Event>(wire: BenchWire<Item, Event>, ask: Ask<Item, Event>): Promise<Outcome> {
	const history = [wire.prompt(PROMPT)];
	const outcome = { textCharacters: 0, argumentCharacters: 0 };
	let shown = 0;
	for (;;) {
		const turn: Turn = { text: '', calls: [] };
		for await (const event of await ask(history)) wire.read(turn, event, (delta) => (shown += delta.length));
		outcome.textCharacters += turn.text.length;
		for (const call of turn.calls) outcome.argumentCharacters += call.argumentsText.length;
		if (turn.calls.length === 0) break;
		const results = await Promise.all(turn.calls.map((call) => runTool(call.name, JSON.parse(call.argumentsText))));
		history.push(...wire.messages(turn, results));
	}
	if (shown === 0) throw new Error('Nothing was shown.');
	return outcome;
}

function runTool(name: string, _arguments: unknown): Promise<string> {
	return Promise.resolve(answer(name));
}

/** Uses `fetch`, and splits server-sent events by hand. */
export function askByFetch<Item, Event>(wire: BenchWire<Item, Event>, url: string): Ask<Item, Event> {
	return async (history) => {
		const response = await fetch(url + wire.path, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...wire.headers },
			body: JSON.stringify(wire.body(history))
		});
		if (!response.ok || !response.body) throw new Error(`The model server answered ${response.status}.`);
		return serverSentEvents<Event>(response.body);
	};
}

async function* serverSentEvents<Event>(body: AsyncIterable<Uint8Array>): AsyncGenerator<Event, void> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const bytes of body) {
		const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
		rest = lines.pop() ?? '';
		// Not validated: this is the lower bound.
		for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as Event;
	}
}
