import type { Runtime } from '../../runtime/runtime.ts';
import type { TestEvent } from '../events.ts';
import { customReporter } from './custom.ts';
import { createReporter, isReporterName } from './index.ts';

type Report = (event: TestEvent, file?: string) => void;

/**
 * Creates the reporters that the command line names, in order, each with its destination: `stdout`, `stderr`, or a
 * file. One reporter alone writes to `stdout`.
 */
export function chosenReporters(runtime: Runtime, names: readonly string[], destinations: readonly string[]): Report {
	const { process } = runtime;
	const all = (names.length > 0 ? names : ['spec']).map((name, index): Report => {
		const destination = destinations[index] ?? 'stdout';
		const write = writerTo(runtime, destination);
		if (!isReporterName(name)) return customReporter(runtime, name, write);
		const colours = destination === 'stdout' && Reflect.get(process.stdout, 'isTTY') === true;
		return createReporter(name, {
			write,
			colours: colours && process.env['NO_COLOR'] === undefined,
			cwd: process.cwd()
		});
	});
	return (event, file) => {
		for (const report of all) report(event, file);
	};
}

function writerTo({ process, sys, resolvePath }: Runtime, destination: string): (text: unknown) => void {
	if (destination === 'stdout' || destination === 'stderr') {
		return (text) => void process[destination].write(text as string);
	}
	const file = resolvePath(destination);
	const encoder = new TextEncoder();
	sys.writeFile(file, new Uint8Array());
	return (text) => sys.appendFile(file, text instanceof Uint8Array ? text : encoder.encode(String(text)));
}
