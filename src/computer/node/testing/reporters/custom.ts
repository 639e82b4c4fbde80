import { Module } from '../../loader/commonjs.ts';
import streams from '../../modules/stream.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { StreamEvents, type StreamEvent } from '../stream-events.ts';
import type { TestEvent } from '../events.ts';

type Write = (text: unknown) => void;
type Generator = (source: AsyncIterable<StreamEvent>) => AsyncIterable<unknown>;

/**
 * Creates a reporter of the project: its default export is a generator of text for the stream of events, or a transform
 * stream. It is loaded when there are events; those until then wait.
 * @param specifier path or package, from the working directory
 */
export function customReporter(
	runtime: Runtime,
	specifier: string,
	write: Write
): (event: TestEvent, file?: string) => void {
	const events = new StreamEvents();
	let running: { source: InstanceType<typeof streams.Readable>; ended: Promise<void> } | null = null;
	const start = () => {
		const source = new streams.Readable({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER, read() {} });
		const ended = report(runtime, specifier, source, write).catch((error: unknown) => runtime.fatal(error));
		return { source, ended };
	};
	return (event, file) => {
		running ??= start();
		for (const one of events.from(event, file ?? runtime.process.argv[1])) running.source.push(one);
		if (event.type !== 'summary') return;
		running.source.push(null);
		// Not before: the program has to be idle for the last event.
		void runtime.loop.holdWhile(running.ended);
	};
}

async function report(
	{ process }: Runtime,
	specifier: string,
	source: InstanceType<typeof streams.Readable>,
	write: Write
): Promise<void> {
	const module = await Module.host.esm.import(specifier, `${process.cwd()}/[reporter]`);
	const exported: unknown = Reflect.get(Object(module), 'default');
	const given: unknown = isClass(exported) ? new exported() : exported;
	if (typeof given === 'function') {
		for await (const text of (given as Generator)(source)) write(text);
		return;
	}
	if (!(given instanceof streams.Duplex)) {
		throw new TypeError(`The default export of the reporter ${specifier} must be a function, a class or a stream.`);
	}
	for await (const text of source.pipe(given)) write(text);
}

/** Generators have a prototype without a constructor. */
const isClass = (value: unknown): value is new () => unknown =>
	typeof value === 'function' && Object.hasOwn(Object(value.prototype) as object, 'constructor');
