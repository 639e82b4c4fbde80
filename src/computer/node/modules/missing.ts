import { unsupported } from '../runtime/errors.ts';
import { EventEmitter } from './events.ts';

type Call = () => never;

const ADVICE: Record<string, string> = {
	repl: 'Use node -e, or write a file.',
	trace_events: 'Measure with node:perf_hooks.',
	v8: 'Measure with node:perf_hooks.'
};

const CALLS: Record<string, { calls: string[]; classes: string[]; values: Record<string, unknown> }> = {
	repl: { calls: ['start'], classes: ['REPLServer'], values: { builtinModules: [] } },
	trace_events: { calls: ['createTracing'], classes: [], values: { getEnabledCategories: () => '' } },
	v8: {
		calls: [
			'getCppHeapStatistics',
			'getHeapSnapshot',
			'queryObjects',
			'setHeapSnapshotNearHeapLimit',
			'writeHeapSnapshot'
		],
		classes: ['GCProfiler'],
		values: {
			setFlagsFromString: () => undefined,
			startupSnapshot: { isBuildingSnapshot: () => false }
		}
	}
};

export const missingModules = Object.keys(CALLS);

/** Creates a module that can be required, and whose functions throw an explanation with an alternative. */
export function createMissing(name: string): Record<string, unknown> {
	const { calls, classes, values } = CALLS[name] ?? { calls: [], classes: [], values: {} };
	const advice = ADVICE[name] ?? 'Use another module.';
	const module: Record<string, unknown> = { ...values };
	for (const call of calls) {
		const refuse: Call = () => {
			throw unsupported(`${name}.${call}()`, advice);
		};
		module[call] = refuse;
	}
	for (const title of classes) {
		const Refused = class extends EventEmitter {
			constructor() {
				super();
				throw unsupported(`new ${name}.${title}()`, advice);
			}
		};
		module[title] = Object.defineProperty(Refused, 'name', { value: title });
	}
	return module;
}
