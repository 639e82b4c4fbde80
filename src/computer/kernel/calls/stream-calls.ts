import { errno } from '#computer/abi/errno.ts';
import type { Machine } from '../machine.ts';
import type { Process } from '../processes/process.ts';
import { FileDescription } from '../streams/file-description.ts';
import { Pipe } from '../streams/pipe.ts';
import type { Terminal } from '../streams/terminal.ts';
import type { Handlers } from './handlers.ts';

type StreamCall =
	| ('openFile' | 'read' | 'write' | 'close' | 'pipe')
	| ('isTerminal' | 'terminalSize' | 'terminalMode' | 'terminalSettings' | 'terminalForeground' | 'endReads');

export function streamCalls({ volume }: Machine): Pick<Handlers, StreamCall> {
	return {
		openFile: (process, path, mode) => process.open(new FileDescription(volume, path, mode)),
		read: (process, descriptor, max) => process.descriptor(descriptor).read(max, process),
		write: (process, descriptor, bytes) => process.descriptor(descriptor).write(bytes, process),
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
