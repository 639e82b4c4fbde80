import { joined } from './data-parts.ts';
import { FileHandle } from './file-handle.ts';

type Call = (...args: unknown[]) => unknown;
type Later = (run: () => unknown) => Promise<unknown>;

/** Promise form of a call that reads a whole file: also accepts a `FileHandle` instead of a path. */
export const readingWhole =
	(call: Call, later: Later): Call =>
	(file, options) =>
		later(() => call(descriptorOf(file), options));

/** Promise form of a call that writes a whole file: also accepts a `FileHandle`, and data in parts. */
export const writingWhole =
	(call: Call, later: Later): Call =>
	async (file, data, options) => {
		const whole = await joined(data, options);
		await later(() => call(descriptorOf(file), whole, options));
	};

const descriptorOf = (file: unknown): unknown => (file instanceof FileHandle ? file.fd : file);
