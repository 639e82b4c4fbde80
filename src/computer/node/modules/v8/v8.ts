import type { Buffer } from 'buffer';
import { DefaultDeserializer, Deserializer } from './deserializer.ts';
import { heapInspection } from './heap-inspection.ts';
import { heapStatistics } from './heap-statistics.ts';
import { DefaultSerializer, Serializer } from './serializer.ts';
import { startupSnapshot } from './startup-snapshot.ts';

/** `node:v8`: serialization as in Node; functions that inspect the engine throw an explanation. */
export function createV8(): Record<string, unknown> {
	return {
		...heapInspection,
		...heapStatistics,
		startupSnapshot,
		setFlagsFromString: (): void => {},
		Serializer,
		Deserializer,
		DefaultSerializer,
		DefaultDeserializer,
		// They write coverage collected so far; without `NODE_V8_COVERAGE`, Node has none either.
		takeCoverage: (): void => {},
		stopCoverage: (): void => {},
		serialize(value: unknown): Buffer {
			const serializer = new DefaultSerializer();
			serializer.writeHeader();
			serializer.writeValue(value);
			return serializer.releaseBuffer();
		},
		deserialize(buffer: ArrayBufferView): unknown {
			const deserializer = new DefaultDeserializer(buffer);
			deserializer.readHeader();
			return deserializer.readValue();
		}
	};
}
