import { describe, expect, it } from 'vitest';
import { poll } from '#computer/kernel/calls/poll.ts';
import { Process } from '#computer/kernel/processes/process.ts';
import { Ports } from '#computer/kernel/sockets/ports.ts';
import { NullDescription } from '#computer/kernel/streams/description.ts';
import { Pipe } from '#computer/kernel/streams/pipe.ts';
import { PIPE_BYTES } from '#computer/abi/limits.ts';

const LONG_MS = 60_000;
const bytes = (text: string) => new TextEncoder().encode(text);
const reads = (descriptor: number) => ({ descriptor, reads: true, writes: false });
const writes = (descriptor: number) => ({ descriptor, reads: false, writes: true });

/** A process with both ends of a pipe. */
function piped() {
	const process = new Process(7, 1, 7, ['python3'], '/', {});
	const pipe = new Pipe();
	return { process, pipe, reader: process.open(pipe.reader), writer: process.open(pipe.writer) };
}

describe('a poll', () => {
	it('answers at once what is ready, whatever the time', () => {
		const { process, reader, writer } = piped();
		expect(poll(process, [reads(reader), writes(writer)], LONG_MS)).toEqual([
			{ readable: false, room: 0 },
			{ readable: false, room: PIPE_BYTES }
		]);
		const nothing = process.open(new NullDescription());
		expect(poll(process, [reads(nothing)], LONG_MS)).toEqual([{ readable: true, room: PIPE_BYTES }]);
		expect(poll(process, [reads(reader)], 0)).toEqual([{ readable: false, room: 0 }]);
	});

	it('waits for bytes, for room and for the end', async () => {
		const { process, pipe, reader, writer } = piped();
		const arrival = poll(process, [reads(reader)], LONG_MS);
		await pipe.write(bytes('a'), null);
		expect(await arrival).toEqual([{ readable: true, room: 0 }]);
		await pipe.write(new Uint8Array(PIPE_BYTES - 1), null);
		const room = poll(process, [writes(writer)], LONG_MS);
		await pipe.read(10, null);
		expect(await room).toEqual([{ readable: false, room: 10 }]);
		await pipe.read(PIPE_BYTES, null);
		const end = poll(process, [reads(reader)], LONG_MS);
		process.close(writer);
		expect(await end).toEqual([{ readable: true, room: 0 }]);
	});

	it('ends at a signal', async () => {
		const { process, reader } = piped();
		const waiting = poll(process, [reads(reader)], LONG_MS);
		process.signalled.notify();
		expect(await waiting).toEqual([{ readable: false, room: 0 }]);
	});

	it('says that nothing is ready when the time is over', async () => {
		const { process, reader } = piped();
		expect(await poll(process, [reads(reader)], 1)).toEqual([{ readable: false, room: 0 }]);
	});

	it('waits for a connection, and for what its other end does', async () => {
		const ports = new Ports();
		const process = new Process(7, 1, 7, ['python3'], '/', {});
		const listener = ports.listen(process, 'localhost', 3000);
		const port = process.open(listener);
		const arrival = poll(process, [reads(port)], LONG_MS);
		const client = ports.connect('localhost', 3000).retain();
		expect(await arrival).toEqual([{ readable: true, room: 0 }]);
		const server = process.open(await listener.accept(null));
		const request = poll(process, [reads(server)], LONG_MS);
		await client.write(bytes('GET /'), null);
		expect(await request).toEqual([{ readable: true, room: PIPE_BYTES }]);
		await process.descriptor(server).read(100, process);
		const cut = poll(process, [reads(server)], LONG_MS);
		client.cut();
		expect(await cut).toEqual([{ readable: true, room: PIPE_BYTES }]);
	});

	it('refuses what is no descriptor', () => {
		expect(() => poll(piped().process, [reads(9)], 0)).toThrow(expect.objectContaining({ code: 'EBADF' }));
	});
});
