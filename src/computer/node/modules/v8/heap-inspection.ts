import { unsupported } from '../../runtime/errors.ts';

const ADVICE = 'Measure with node:perf_hooks.';
const CALLS = [
	'getCppHeapStatistics',
	'getHeapSnapshot',
	'queryObjects',
	'setHeapSnapshotNearHeapLimit',
	'writeHeapSnapshot'
];

const refusing = (name: string) => (): never => {
	throw unsupported(`v8.${name}()`, ADVICE);
};

class GCProfiler {
	constructor() {
		throw unsupported('new v8.GCProfiler()', ADVICE);
	}
}

/** Functions of `node:v8` that look into the heap, which a browser does not show: each throws an explanation. */
export const heapInspection: Record<string, unknown> = {
	...Object.fromEntries(CALLS.map((name) => [name, refusing(name)])),
	GCProfiler
};
