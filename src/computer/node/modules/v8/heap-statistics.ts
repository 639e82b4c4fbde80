import { memoryUsage } from '../../runtime/usage.ts';
import { string } from '../../runtime/validate.ts';

/** Limit of a worker's memory in a browser: pointers of its V8 are compressed. */
const HEAP_LIMIT_BYTES = 4 * 2 ** 30;
/** Space that all objects are counted in: a browser tells no more than their sum. */
const COUNTED_SPACE = 'old_space';
const SPACES = [
	'read_only_space',
	'new_space',
	COUNTED_SPACE,
	'code_space',
	'shared_space',
	'trusted_space',
	'new_large_object_space',
	'large_object_space',
	'code_large_object_space',
	'shared_large_object_space',
	'trusted_large_object_space'
];
/** Differs between engines whose compiled code cannot be exchanged. */
const CACHE_TAG = 2_596_627_580;

/** Statistics of `node:v8`, as far as `process.memoryUsage()` knows them; all other figures are 0. */
export const heapStatistics = {
	getHeapStatistics() {
		const { heapTotal = 0, heapUsed = 0, external = 0 } = memoryUsage();
		return {
			total_heap_size: heapTotal,
			total_heap_size_executable: 0,
			total_physical_size: heapTotal,
			total_available_size: HEAP_LIMIT_BYTES - heapUsed,
			used_heap_size: heapUsed,
			heap_size_limit: HEAP_LIMIT_BYTES,
			malloced_memory: 0,
			peak_malloced_memory: 0,
			does_zap_garbage: 0,
			number_of_native_contexts: 1,
			number_of_detached_contexts: 0,
			total_global_handles_size: 0,
			used_global_handles_size: 0,
			external_memory: external
		};
	},
	getHeapSpaceStatistics() {
		const { heapTotal = 0, heapUsed = 0 } = memoryUsage();
		return SPACES.map((name) => {
			const [size, used] = name === COUNTED_SPACE ? [heapTotal, heapUsed] : [0, 0];
			return {
				space_name: name,
				space_size: size,
				space_used_size: used,
				space_available_size: size - used,
				physical_space_size: size
			};
		});
	},
	getHeapCodeStatistics: () => ({
		code_and_metadata_size: 0,
		bytecode_and_metadata_size: 0,
		external_script_source_size: 0,
		cpu_profiler_metadata_size: 0
	}),
	cachedDataVersionTag: () => CACHE_TAG,
	/** True if no character is above U+00FF. */
	isStringOneByteRepresentation(content: unknown): boolean {
		string(content, 'content');
		return !/[^\0-\xFF]/.test(content as string);
	}
};
