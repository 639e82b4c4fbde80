import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { pricesOf } from './prices.ts';
import { costOf, readUsage, type Tokens } from './usage.ts';

/** Longest event or response that is parsed for its usage; the cost of a longer one is estimated. */
const MAX_TEXT = 8 * 2 ** 20;
/**
 * Bytes on the wire per token, for a provider that reports no usage: low, so that the estimate tends to be too high.
 */
const BYTES_PER_TOKEN = 8;

/**
 * Passes a response through unchanged and adds up its cost.
 * @param atLeast millionths of a dollar, charged if the response reported no usage or was cut
 * @param settle called once with the cost in millionths of a dollar
 */
export function meter(
	provider: string,
	contentType: string,
	atLeast: number,
	settle: (microUsd: number) => void
): Transform {
	const decoder = new StringDecoder('utf8');
	const events = contentType.includes('event-stream');
	const tokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
	let model: string | undefined;
	let [bytes, rest, isReported, whole] = [0, '', false, false];

	function read(text: string): void {
		let json: unknown;
		try {
			json = JSON.parse(text);
		} catch {
			return; // `[DONE]` or not JSON: reports no usage, so the cost is estimated
		}
		for (const event of Array.isArray(json) ? json : [json]) {
			const { model: named, tokens: counted } = readUsage(event);
			model = named ?? model;
			if (!counted) continue;
			isReported = true;
			for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const)
				tokens[kind] = Math.max(tokens[kind], counted[kind] ?? 0);
		}
	}

	function take(text: string): void {
		rest = rest.length + text.length > MAX_TEXT ? '' : rest + text;
		if (!events || !text.includes('\n')) return;
		const lines = rest.split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines)
			if (line.startsWith('data:') && /"(usage|usageMetadata|model)"/.test(line)) read(line.slice(5));
	}

	const transform = new Transform({
		transform(chunk: Buffer, _encoding, done) {
			bytes += chunk.byteLength;
			take(decoder.write(chunk));
			done(null, chunk);
		},
		flush(done) {
			take(events ? '\n' : decoder.end());
			if (!events) read(rest);
			whole = true;
			done();
		}
	});
	transform.once('close', () => {
		const prices = pricesOf(provider, model);
		const counted = costOf(tokens, prices);
		const estimated = Math.ceil((bytes / BYTES_PER_TOKEN) * (prices.long ?? prices).output);
		settle(whole && isReported ? counted : Math.max(counted, estimated, atLeast));
	});
	return transform;
}
