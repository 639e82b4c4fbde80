import { expect, it } from 'vitest';
import { EVENT_MARK, type TestEvent } from '#computer/node/testing/events.ts';
import { eventsOf, FileEvents, OutputLines } from '#computer/node/testing/file-events.ts';

const started = (name: string): TestEvent => ({ type: 'start', name, nesting: 0 });

it('follows a file that has not ended', async () => {
	const events = new FileEvents();
	let end = () => {};
	events.endsWith(new Promise((resolve) => (end = resolve)));
	const seen: TestEvent[] = [];
	events.add(started('before'));
	const following = events.follow((event) => seen.push(event));
	expect(seen).toEqual([started('before')]);
	events.add(started('while it runs'));
	expect(seen).toEqual([started('before'), started('while it runs')]);
	end();
	await following;
});

it('cuts output into lines wherever its bytes are cut', () => {
	const text = `printed\nhalf ${EVENT_MARK}${JSON.stringify(started('ü'))}\nno end`;
	const bytes = new TextEncoder().encode(text);
	for (let at = 0; at <= bytes.length; at++) {
		const lines = new OutputLines();
		const all = [...lines.add(bytes.subarray(0, at)), ...lines.add(bytes.subarray(at)), ...lines.rest()];
		expect(all.flatMap(eventsOf)).toEqual([
			{ type: 'output', text: 'printed\n' },
			{ type: 'output', text: 'half ' },
			started('ü'),
			{ type: 'output', text: 'no end' }
		]);
	}
});
