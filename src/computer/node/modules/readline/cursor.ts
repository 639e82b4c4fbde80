import type { Writable } from 'node:stream';

type Done = () => void;

const send = (stream: Writable, text: string, done?: Done): boolean => {
	if (text !== '') return stream.write(text, done);
	if (done) queueMicrotask(done);
	return true;
};

/** Moves to column `x`, and to row `y` if specified; both are counted from 0. */
export function cursorTo(stream: Writable, x: number, y?: number | Done, done?: Done): boolean {
	const [row, then] = typeof y === 'function' ? [undefined, y] : [y, done];
	return send(stream, typeof row === 'number' ? `\x1b[${row + 1};${x + 1}H` : `\x1b[${x + 1}G`, then);
}

export function moveCursor(stream: Writable, dx: number, dy: number, done?: Done): boolean {
	const across = dx > 0 ? `\x1b[${dx}C` : dx < 0 ? `\x1b[${-dx}D` : '';
	return send(stream, across + (dy > 0 ? `\x1b[${dy}B` : dy < 0 ? `\x1b[${-dy}A` : ''), done);
}

/** @param direction below 0: left of the cursor, above 0: right of it, 0: the whole line */
export function clearLine(stream: Writable, direction: number, done?: Done): boolean {
	return send(stream, `\x1b[${direction < 0 ? 1 : direction > 0 ? 0 : 2}K`, done);
}

export function clearScreenDown(stream: Writable, done?: Done): boolean {
	return send(stream, '\x1b[0J', done);
}
