import type { ReporterOptions, Reporter } from './reporter.ts';
import { callable } from '../../modules/callable.ts';
import streams from '../../modules/stream.ts';
import { UsageError } from '../../options.ts';
import { testEventOf, type StreamEvent } from '../stream-events.ts';
import { dotReporter } from './dot.ts';
import { LcovReporter } from './lcov.ts';
import { junitReporter } from './junit.ts';
import { specReporter } from './spec.ts';
import { tapReporter } from './tap.ts';

const REPORTERS: Record<string, (options: ReporterOptions) => Reporter> = {
	spec: specReporter,
	tap: tapReporter,
	dot: dotReporter,
	junit: junitReporter
};

export const isReporterName = (name: string): boolean => Object.hasOwn(REPORTERS, name);

/** Throws UsageError for an unknown name. */
export function createReporter(name: string, options: ReporterOptions): Reporter {
	const create = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
	if (!create)
		throw new UsageError(`unknown test reporter '${name}'. Take one of: ${Object.keys(REPORTERS).join(', ')}`);
	return create(options);
}

type ReporterFunction = (source: AsyncIterable<StreamEvent>) => AsyncGenerator<string>;

/** Converts a reporter to Node's form for programs: a generator of text for a stream of events. */
function generatorFor(name: string): ReporterFunction {
	const { [name]: reporter } = {
		[name]: async function* (source: AsyncIterable<StreamEvent>) {
			const texts: string[] = [];
			const report = createReporter(name, { ...PLAIN, write: (text) => void texts.push(text) });
			for await (const event of source) {
				const known = testEventOf(event);
				if (known) report(known);
				if (texts.length > 0) yield texts.splice(0).join('');
			}
		}
	};
	return reporter as ReporterFunction;
}

const PLAIN = { colours: false, cwd: '/' };

/** `spec` as a transform stream from events to text. */
class SpecReporter extends streams.Transform {
	readonly #report: Reporter;

	constructor() {
		super({ writableObjectMode: true });
		this.#report = specReporter({ ...PLAIN, write: (text) => void this.push(text) });
	}

	override _transform(event: StreamEvent, _encoding: string, done: () => void): void {
		const known = testEventOf(event);
		if (known) this.#report(known);
		done();
	}
}

/** `node:test/reporters`. */
export const createReporterModule = (): Record<string, unknown> => ({
	spec: callable(SpecReporter),
	// As in Node, it is an instance.
	get lcov() {
		return new LcovReporter();
	},
	...Object.fromEntries(['tap', 'dot', 'junit'].map((name) => [name, generatorFor(name)]))
});
