import { nodeError, unsupported } from '../runtime/errors.ts';
import { EventEmitter } from './events.ts';

type Call = () => never;

const notBuilding: Call = () => {
	const words = 'Operation cannot be invoked when not building startup snapshot';
	throw nodeError(Error, 'ERR_NOT_BUILDING_SNAPSHOT', words);
};

/** `v8.startupSnapshot`, as in a Node that builds none. */
const startupSnapshot = {
	addDeserializeCallback: notBuilding,
	addSerializeCallback: notBuilding,
	setDeserializeMainFunction: notBuilding,
	isBuildingSnapshot: () => 0
};

const ADVICE: Record<string, string> = {
	v8: 'Measure with node:perf_hooks.'
};

const CALLS: Record<string, { calls: string[]; classes: string[]; values: Record<string, unknown> }> = {
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
			startupSnapshot
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
