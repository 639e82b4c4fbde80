import { errno } from '#computer/abi/errno.ts';
import type { Computer } from '../computer.ts';
import type { Process } from '../processes/process.ts';
import { FileDescription } from '../streams/file-description.ts';
import { NamedPipeEnd } from '../streams/named-pipe.ts';
import { Pipe } from '../streams/pipe.ts';
import type { Terminal } from '../streams/terminal.ts';
import type { Handlers } from './handler.ts';
import { poll } from './poll.ts';

type StreamCall =
	| ('openFile' | 'opened' | 'read' | 'unread' | 'write' | 'poll' | 'close' | 'pipe' | 'lockRange')
	| ('isTerminal' | 'terminalSize' | 'terminalMode' | 'terminalSettings' | 'terminalForeground' | 'endReads');

export function streamCalls({ volume, namedPipes, fileLocks }: Computer): Pick<Handlers, StreamCall> {
	return {
		openFile: (process, path, mode, position) =>
			process.open(namedPipes.open(path, mode) ?? new FileDescription(volume, path, mode, position)),
		opened: (process, descriptor) => {
			const end = process.descriptor(descriptor);
			return end instanceof NamedPipeEnd ? end.opened() : undefined;
		},
		read: (process, descriptor, max) => process.descriptor(descriptor).read(max, process),
		unread: (process, descriptor, bytes) => process.descriptor(descriptor).unread(bytes),
		write: (process, descriptor, bytes) => process.descriptor(descriptor).write(bytes, process),
		poll: (process, wishes, timeoutMs) => poll(process, wishes, timeoutMs),
		lockRange: (process, descriptor, start, length, mode) => {
			const file = process.descriptor(descriptor);
			if (!(file instanceof FileDescription)) throw errno('EBADF');
			return fileLocks.set(file, start, length, mode);
		},
		close: (process, descriptor) => process.close(descriptor),
		pipe: (process) => {
			const pipe = new Pipe();
			return { reader: process.open(pipe.reader), writer: process.open(pipe.writer) };
		},
		isTerminal: (process, descriptor) => process.descriptor(descriptor).terminal !== null,
		terminalSize: (process) => terminalOf(process).size,
		terminalMode: (process, mode) => terminalOf(process).setMode(process, mode),
		terminalSettings: (process, change, lasts) => terminalOf(process).change(process, change, lasts),
		endReads: (process) => process.terminal?.endReads(process),
		terminalForeground: (process, group) => {
			terminalOf(process).foreground = group;
		}
	};
}

function terminalOf(process: Process): Terminal {
	const { terminal } = process;
	if (!terminal) throw errno('ENOTTY');
	return terminal;
}
