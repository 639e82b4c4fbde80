import { guardScript } from '../guard.ts';
import { observerScript } from '../observe.ts';
import { tunnelScript } from './web-socket-tunnel.ts';

/** Bytes to search for the start of the head. */
const LOOKED_AT_BYTES = 4096;

/**
 * Inserts the observer and the WebSocket replacement at the top of a streamed document, after its doctype, which must
 * stay first.
 *
 * @param driver script to insert before these (see `../driver/boot.ts`)
 */
export async function* withObserver(body: AsyncIterable<Uint8Array>, driver = ''): AsyncGenerator<Uint8Array> {
	let start: Uint8Array = new Uint8Array(0);
	let isIn = false;
	for await (const chunk of body) {
		if (isIn) {
			yield chunk;
			continue;
		}
		start = joined(start, chunk);
		if (start.length < LOOKED_AT_BYTES && headEnd(start) === null) continue;
		isIn = true;
		yield insert(start, driver);
	}
	if (!isIn) yield insert(start, driver);
}

function insert(start: Uint8Array, driver: string): Uint8Array {
	const at = headEnd(start) ?? doctypeEnd(start);
	const script = new TextEncoder().encode(driver + observerScript() + guardScript() + tunnelScript());
	return joined(joined(start.subarray(0, at), script), start.subarray(at));
}

/** Latin-1 has one character per byte, so that positions in the text are positions in the bytes. */
const text = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes.subarray(0, LOOKED_AT_BYTES));

function headEnd(start: Uint8Array): number | null {
	const found = /<head(\s[^>]*)?>/i.exec(text(start));
	return found ? found.index + found[0].length : null;
}

function doctypeEnd(start: Uint8Array): number {
	return /^\s*<!doctype[^>]*>/i.exec(text(start))?.[0].length ?? 0;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
	const all = new Uint8Array(a.length + b.length);
	all.set(a);
	all.set(b, a.length);
	return all;
}
