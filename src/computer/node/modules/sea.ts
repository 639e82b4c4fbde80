import { nodeError } from '../runtime/errors.ts';
import { optional, string } from '../runtime/validate.ts';

const outside = () =>
	nodeError(
		Error,
		'ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION',
		'Operation cannot be invoked when not in a single-executable application'
	);

/** `node:sea`, as in a Node that is no single executable: it has no assets. */
export function createSea(): Record<string, unknown> {
	const asset = (key: unknown): never => {
		string(key, 'key');
		throw outside();
	};
	return {
		isSea: () => false,
		getAsset(key: unknown, encoding?: unknown): never {
			optional(string)(encoding, 'encoding');
			return asset(key);
		},
		getRawAsset: (key: unknown) => asset(key),
		getAssetAsBlob: (key: unknown) => asset(key),
		getAssetKeys(): never {
			throw outside();
		}
	};
}
