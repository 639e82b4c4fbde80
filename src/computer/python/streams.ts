import type { PyodideInterface } from 'pyodide';
import type { ProcessContext } from '#computer/process/program.ts';
import { errnoOf } from './filesystem/errno.ts';
import type { EmscriptenFs } from './filesystem/types.ts';

/** Connects standard input, output and error to the process's own descriptors. */
export function connectStreams(python: PyodideInterface, { sync }: ProcessContext): void {
	const { ErrnoError } = python.FS as unknown as EmscriptenFs;
	const guarded = <Value>(work: () => Value): Value => {
		try {
			return work();
		} catch (error) {
			throw new ErrnoError(errnoOf(python, error));
		}
	};
	const output = (descriptor: number) => ({
		isatty: sync.isTerminal(descriptor),
		write(bytes: Uint8Array) {
			guarded(() => sync.write(descriptor, bytes.slice()));
			return bytes.length;
		}
	});
	// The interpreter's own terminal is empty: programs that open it must use standard input.
	python.FS.unlink('/dev/tty');
	python.setStdin({
		isatty: sync.isTerminal(0),
		read(into: Uint8Array) {
			const bytes = guarded(() => sync.read(0, into.length));
			into.set(bytes);
			return bytes.length;
		}
	});
	python.setStdout(output(1));
	python.setStderr(output(2));
}
