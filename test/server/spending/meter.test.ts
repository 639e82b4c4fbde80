import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { meter } from '#server/spending/meter.ts';

const EVENTS = 'text/event-stream; charset=utf-8';
/** A dollar is a million; GPT-5.2 costs 14 dollars per million output tokens, OpenAI's most expensive model 30. */
const said = (output: number, more: object = {}) =>
	JSON.stringify({ model: 'gpt-5.2', usage: { input_tokens: 0, output_tokens: output, ...more } });

/** Cost of an answer in these pieces, and the part of it that reached the page. */
async function costOf(contentType: string, pieces: readonly (string | Buffer)[], options: { isCut?: boolean } = {}) {
	const costs: number[] = [];
	const counted = meter('openai', contentType, 777, (cost) => void costs.push(cost));
	const passed: Buffer[] = [];
	counted.on('data', (chunk: Buffer) => passed.push(chunk));
	for (const piece of pieces) counted.write(piece);
	if (options.isCut) {
		await new Promise(setImmediate);
		counted.destroy();
	} else counted.end();
	await once(counted, 'close');
	return { costs, text: Buffer.concat(passed).toString() };
}

describe('the cost of an answer', () => {
	it('is that of its usage, once, and the answer passes unchanged', async () => {
		const text = `event: a\ndata: ${said(1_000)}\n\n`;
		expect(await costOf(EVENTS, [text])).toEqual({ costs: [14_000], text });
		expect(await costOf('application/json', [said(1_000)])).toEqual({ costs: [14_000], text: said(1_000) });
	});

	it('is read from a stream of any pieces, also without a line break at its end', async () => {
		const text = `data: {"model":"é"}\ndata:${said(1_000)}`;
		expect(
			(
				await costOf(
					EVENTS,
					[...text].map((character) => Buffer.from(character))
				)
			).costs
		).toEqual([14_000]);
		const begun = text.indexOf('\n') + 7;
		expect((await costOf(EVENTS, [text.slice(0, begun), text.slice(begun)])).costs).toEqual([14_000]);
		const bytes = Buffer.from('{"model":"gpt-5.2","x":"é","usage":{"output_tokens":1000}}');
		const inTheMiddle = bytes.indexOf('é') + 1;
		const halves = [bytes.subarray(0, inTheMiddle), bytes.subarray(inTheMiddle)];
		expect((await costOf('application/json', halves)).costs).toEqual([14_000]);
	});

	it('is the highest count that its events report, of each kind', async () => {
		const events = [said(500), said(1_000), said(10), said(0, { cache_read_input_tokens: 1_000_000 })];
		const { costs } = await costOf(EVENTS, [events.map((event) => `data: ${event}\n`).join('')]);
		expect(costs).toEqual([14_000 + 175_000]);
	});

	it('is that of the model it names, in whichever event', async () => {
		const events = ['{"model":"gpt-5.2"}', '{"usage":{"output_tokens":1000}}'];
		expect((await costOf(EVENTS, [events.map((event) => `data: ${event}\n`).join('')])).costs).toEqual([14_000]);
		expect((await costOf(EVENTS, ['data: {"usage":{"output_tokens":1000}}\n'])).costs).toEqual([30_000]);
	});

	it('is read from events alone, and not from their comments', async () => {
		expect((await costOf(EVENTS, [`:    ${said(1_000)}\nnote:${said(1_000)}\n`])).costs).toEqual([777]);
	});

	it('is what was held where no usage is reported', async () => {
		for (const text of ['', 'data: [DONE]\n\n', 'data: {"model":"gpt-5.2"}\n\n', 'data: {"usage":\n'])
			expect((await costOf(EVENTS, [text])).costs, text).toEqual([777]);
		expect((await costOf('application/json', ['no JSON'])).costs).toEqual([777]);
	});

	it('is estimated by its length where that is more, at the price of its model for long prompts', async () => {
		const filler = `: ${'x'.repeat(7_997)}\n`;
		expect((await costOf(EVENTS, [filler])).costs).toEqual([30_000]);
		expect((await costOf(EVENTS, ['data: {"model":"gpt-5.6-luna"}\n', filler])).costs).toEqual([
			Math.ceil((8_031 / 8) * 1.8)
		]);
	});

	it('is at least what was held where it is cut, however little it reported', async () => {
		const cut = { isCut: true };
		expect((await costOf(EVENTS, [`data: ${said(1)}\n`], cut)).costs).toEqual([777]);
		expect((await costOf(EVENTS, [`data: ${said(1_000_000)}\n`], cut)).costs).toEqual([14_000_000]);
		// A complete answer costs what it reports.
		expect((await costOf(EVENTS, [`data: ${said(1)}\n`])).costs).toEqual([14]);
	});

	it('does not hold a line in memory that never ends', async () => {
		const limit = 8_388_608;
		const ended = `\ndata: ${said(1_000)}\n`;
		expect((await costOf(EVENTS, ['x'.repeat(limit - ended.length), ended])).costs).toEqual([14_000]);
		// The event that ends an overlong line is lost with it, and the cost is estimated.
		const { costs } = await costOf(EVENTS, ['x'.repeat(limit - ended.length + 1), ended]);
		expect(costs).toEqual([Math.ceil(((limit + 1) / 8) * 30)]);
		// An event after it is read again.
		const pieces = ['x'.repeat(limit), 'x', `data: ${said(1_000)}\n`];
		expect((await costOf(EVENTS, pieces)).costs).toEqual([14_000]);
	});
});
