import { getCurrentTest } from '@vitest/runner';
import { SnapshotClient, stripSnapshotIndentation } from '@vitest/snapshot';
import { equals, iterableEquality, subsetEquality } from '@vitest/expect';
import type { FileResult } from '../result.ts';
import { placeCall } from './place-call.ts';
import { fullName } from './test-name.ts';

export interface Files {
	read(path: string): string | null;
	write(path: string, text: string): void;
	remove(path: string): void;
}

/** Snapshots of one test file: `__snapshots__/<file>.snap`, and inline snapshots. */
export class FileSnapshots {
	readonly client = new SnapshotClient({
		isEqual: (received, expected) => equals(received, expected, [iterableEquality, subsetEquality])
	});

	constructor(
		readonly file: string,
		private readonly update: 'new' | 'all' | 'none',
		private readonly files: Files
	) {}

	async open(): Promise<void> {
		const { files } = this;
		await this.client.setup(this.file, {
			updateSnapshot: this.update,
			snapshotEnvironment: {
				getVersion: () => '1',
				getHeader: () => '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html',
				resolvePath: async (path) =>
					`${path.slice(0, path.lastIndexOf('/'))}/__snapshots__/${path.split('/').pop()}.snap`,
				resolveRawPath: async (test, path) =>
					path.startsWith('/') ? path : `${test.slice(0, test.lastIndexOf('/'))}/${path}`,
				saveSnapshotFile: async (path, text) => files.write(path, text),
				readSnapshotFile: async (path) => files.read(path),
				removeSnapshotFile: async (path) => files.remove(path)
			}
		});
	}

	read(file: string): string | null {
		return this.files.read(file);
	}

	async close(): Promise<FileResult['snapshots']> {
		const { added, updated, unmatched } = await this.client.finish(this.file);
		return { added, updated, failed: unmatched };
	}
}

/** chai's plugin with the matchers for snapshots. */
export function snapshotMatchers(snapshots: () => FileSnapshots | null): Chai.ChaiPlugin {
	const assertSnapshot = (received: unknown, rest: object, error?: Error) => {
		const test = getCurrentTest();
		const current = snapshots();
		if (!test || !current) throw new Error('Snapshots can only be taken inside a test.');
		current.client.assert({ received, filepath: current.file, name: fullName(test), testId: test.id, error, ...rest });
	};
	const thrown = (value: unknown): unknown => {
		if (typeof value !== 'function') return value;
		try {
			value();
		} catch (error) {
			return error;
		}
		throw new Error("snapshot function didn't throw");
	};
	const placed = (error: Error) => placeCall(error, (file) => snapshots()?.read(file) ?? null);
	const messageOf = (error: unknown) => (error instanceof Error ? error.message : error);
	return (chai, utils) => {
		const add = (name: string, method: (this: Chai.AssertionStatic & object, ...args: unknown[]) => void) =>
			utils.addMethod(chai.Assertion.prototype, name, method);
		const subject = (assertion: object): unknown => utils.flag(assertion, 'object');
		for (const name of ['toMatchSnapshot', 'matchSnapshot']) {
			add(name, function (first, second) {
				const message = typeof first === 'string' ? first : second;
				assertSnapshot(subject(this), { message, ...(typeof first === 'object' ? { properties: first } : {}) });
			});
		}
		add('toMatchInlineSnapshot', function __INLINE_SNAPSHOT__(this: object, ...args: unknown[]) {
			const [properties, inline] = typeof args[0] === 'object' ? args : [undefined, args[0]];
			const inlineSnapshot = typeof inline === 'string' ? stripSnapshotIndentation(inline) : undefined;
			const error = placed(new Error('snapshot'));
			assertSnapshot(subject(this), { isInline: true, inlineSnapshot, ...(properties ? { properties } : {}) }, error);
		});
		add('toThrowErrorMatchingSnapshot', function (message) {
			assertSnapshot(messageOf(thrown(subject(this))), { message });
		});
		add('toThrowErrorMatchingInlineSnapshot', function __INLINE_SNAPSHOT__(this: object, inline: unknown) {
			const inlineSnapshot = typeof inline === 'string' ? stripSnapshotIndentation(inline) : undefined;
			const error = placed(new Error('snapshot'));
			assertSnapshot(thrown(subject(this)), { isInline: true, inlineSnapshot }, error);
		});
		utils.addMethod(chai.expect, 'addSnapshotSerializer', () => undefined);
	};
}
