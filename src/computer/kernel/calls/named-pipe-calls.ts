import { SyscallError } from '#computer/abi/client.ts';
import { errno } from '#computer/abi/errno.ts';
import { FILE_BYTES } from '#computer/abi/limits.ts';
import type { OpenMode } from '#computer/abi/syscalls.ts';
import type { Process } from '../processes/process.ts';
import { ByteQueue } from '../streams/byte-queue.ts';
import type { NamedPipes } from '../streams/named-pipe.ts';
import type { Handler, Handlers } from './handler.ts';

type WholeFileCall = 'readFile' | 'writeFile' | 'appendFile';

const READ_BYTES = 65_536;

/**
 * Answers calls that name a named pipe as a file: it is opened, read to its end or written to, and closed, and the caller
 * waits as long as that takes. All other files are the volume's affair.
 */
export function namedPipeCalls(pipes: NamedPipes, files: Pick<Handlers, WholeFileCall>): Pick<Handlers, WholeFileCall> {
	return {
		readFile: orPipe(files.readFile, (process, path) => through(pipes, process, path, 'read', readAll)),
		writeFile: orPipe(files.writeFile, (process, path, bytes) => writeTo(pipes, process, path, bytes)),
		appendFile: orPipe(files.appendFile, (process, path, bytes) => writeTo(pipes, process, path, bytes))
	};

	async function readAll(process: Process, descriptor: number): Promise<Uint8Array> {
		const all = new ByteQueue();
		for (;;) {
			const piece = await process.descriptor(descriptor).read(READ_BYTES, process);
			if (piece.length === 0) return all.take(all.size);
			all.add(piece);
			if (all.size > FILE_BYTES) throw errno('EFBIG');
		}
	}
}

/** The call, and `pipe` in its place where the volume answers that the path is a named pipe. */
function orPipe<Name extends WholeFileCall>(call: Handler<Name>, pipe: Handler<Name>): Handler<Name> {
	return (process, ...args) => {
		try {
			return call(process, ...args);
		} catch (error) {
			if (!(error instanceof SyscallError) || error.code !== 'ESPIPE') throw error;
			return pipe(process, ...args);
		}
	};
}

function writeTo(pipes: NamedPipes, process: Process, path: string, bytes: Uint8Array): Promise<void> {
	return through(pipes, process, path, 'write', async (_, descriptor) => {
		await process.descriptor(descriptor).write(bytes, process);
	});
}

async function through<Result>(
	pipes: NamedPipes,
	process: Process,
	path: string,
	mode: OpenMode,
	use: (process: Process, descriptor: number) => Promise<Result>
): Promise<Result> {
	const end = pipes.open(path, mode)!;
	const descriptor = process.open(end);
	try {
		await end.opened();
		return await use(process, descriptor);
	} finally {
		if (process.has(descriptor)) process.close(descriptor);
	}
}
