import type { Readable, Writable } from 'node:stream';
import type { SpawnOptions } from '#computer/abi/syscalls.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { descriptorsOf } from '../fs/descriptors.ts';
import { Socket } from '../net/socket.ts';
import type { Stdio } from './arguments.ts';
import { descriptorOfPipe, pipeReader, pipeWriter } from './pipes.ts';

/** Number of descriptors that every child has. */
const STANDARD = 3;

/** Streams of a child: what the kernel gives it, and the parent's ends of its pipes. */
export interface ChildStreams {
	given: Pick<SpawnOptions, 'stdin' | 'stdout' | 'stderr' | 'descriptors'>;
	own: (Readable | Writable | null)[];
	/**
	 * The parent's end of a pipe that stands for the channel of messages: the child reads its end when the parent is
	 * gone. Null without a channel.
	 */
	lifeline: number | null;
	/** Closes the child's ends of the pipes here: when it has its own. */
	close(): void;
}

/** Opens the streams of a child. @throws SyscallError if a descriptor cannot be opened */
export function connectStreams(runtime: Runtime, stdio: readonly Stdio[]): ChildStreams {
	const opened: number[] = [];
	const own: ChildStreams['own'] = [];
	const close = () => {
		for (const descriptor of opened.splice(0)) runtime.sys.close(descriptor);
	};
	let lifeline: number | null = null;
	const ends = stdio.map((how, index) => {
		own[index] = null;
		if (how === 'ipc') {
			const { reader, writer } = runtime.sys.pipe();
			lifeline = writer;
			opened.push(reader);
			return reader;
		}
		if (how !== 'pipe' && how !== 'overlapped') return namedDescriptor(runtime, how, index) ?? 'null';
		const { stream, theirs } = index < STANDARD ? pipeTo(runtime, index) : socketTo(runtime);
		own[index] = stream;
		opened.push(theirs);
		return theirs;
	});
	const [stdin, stdout, stderr, ...others] = ends;
	return { given: { stdin, stdout, stderr, descriptors: descriptorsFrom(others) }, own, lifeline, close };
}

/** Numbers the descriptors of a child above the standard streams. */
export function descriptorsFrom(others: readonly (number | 'null')[]): [number, number][] {
	return others.flatMap((end, index) => (end === 'null' ? [] : [[index + STANDARD, end] as [number, number]]));
}

/** The program's descriptor that a child gets, by the kernel's number; null if it gets none. */
export function namedDescriptor(runtime: Runtime, how: Stdio, index: number): number | null {
	const descriptors = descriptorsOf(runtime);
	if (how === 'inherit') return descriptors.forChild(index);
	if (typeof how === 'number') return descriptors.forChild(how);
	if (typeof how !== 'object' || how === null) return null;
	if (how instanceof Socket) return how._descriptor;
	const pipe = descriptorOfPipe(how);
	if (pipe === null) return typeof how.fd === 'number' ? descriptors.forChild(how.fd) : null;
	// From now on the child reads it.
	(how as Readable).pause?.();
	return pipe;
}

function pipeTo(runtime: Runtime, index: number): { stream: Readable | Writable; theirs: number } {
	const { reader, writer } = runtime.sys.pipe();
	// In Node both are half-open sockets.
	if (index === 0) return { stream: Object.assign(pipeWriter(runtime, writer), { readable: false }), theirs: reader };
	return { stream: Object.assign(pipeReader(runtime, reader), { writable: false }), theirs: writer };
}

function socketTo(runtime: Runtime): { stream: Socket; theirs: number } {
	const { here, there } = runtime.sys.socketPair();
	Socket.runtime = runtime;
	const stream = new Socket();
	stream._open({ descriptor: here });
	return { stream, theirs: there };
}
