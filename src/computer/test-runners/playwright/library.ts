import { builtInFixtures } from './built-in-fixtures.ts';
import { devices } from './devices.ts';
import { Expectations } from './expect/expect.ts';
import type { Host } from './host.ts';
import { notThere } from './browser/not-there.ts';
import { Session } from './browser/session.ts';
import { Declaration, createTest } from './run/declare.ts';
import { runCommandLine } from './run/command-line.ts';
import type { World } from './run/world.ts';

/** `@playwright/test` for test files, with its runner. */
export interface PlaywrightLibrary {
	/** Exports of the module. Known once {@link run} has started. */
	module(): object;
	/** Runs `playwright …`. @returns the exit code */
	run(words: string[], host: Host): Promise<number>;
}

let exported: object = {};

export const library: PlaywrightLibrary = {
	module: () => exported,
	run(words, host) {
		const world = createWorld(host);
		exported = world.module;
		return runCommandLine(words, host, world);
	}
};

function createWorld(host: Host): World {
	const state = new Declaration((file, line) => {
		const bytes = host.read(file);
		return bytes
			? (new TextDecoder()
					.decode(bytes)
					.split('\n')
					.at(line - 1)
					?.search(/\S|$/) ?? 0) + 1
			: 1;
	});
	const session = new Session((request) => host.preview(request));
	let expectTimeoutMs: number | undefined;
	const expectations = new Expectations({
		session,
		baseURL: () => state.running?.project.use.baseURL,
		timeoutMs: () => expectTimeoutMs
	});
	const expect = expectations.create();
	const test = createTest(state, builtInFixtures(session, host), expect);
	const browserType = {
		launch: () => Promise.reject(notThere('launch()')),
		connect: () => Promise.reject(notThere('connect()'))
	};
	const extra = {
		test,
		expect,
		devices,
		defineConfig: (...configs: object[]) => Object.assign({}, ...configs) as object,
		mergeTests: () => {
			throw notThere('mergeTests()');
		},
		mergeExpects: () => {
			throw notThere('mergeExpects()');
		},
		chromium: browserType,
		firefox: browserType,
		webkit: browserType
	};
	return {
		state,
		session,
		module: Object.assign(test, extra, { default: test }),
		setExpectTimeout: (timeoutMs) => (expectTimeoutMs = timeoutMs)
	};
}
