import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isUtf8 } from 'node:buffer';
import { filesBelow } from './files-below.ts';
import type { Case, LoadedSuite, Suite } from './suite.ts';

/** Modules whose tests are run: the first words of a file's name after `test-`. */
const MODULES = new Set(
	`abortcontroller assert async-hooks async-local-storage blob buffer child-process cluster console crypto dgram
	diagnostics-channel dns domain event events eventemitter eventtarget fs http http2 https messagechannel messageport
	microtask module net next-tick os path performance process promise querystring readable readline repl require runner
	stdin stdout stream stream2 stream3 string-decoder structuredclone timers tls url util v8 vm webcrypto whatwg worker
	zlib`.split(/\s+/)
);

/** Options that expose internals of the engine or of Node, which shipped programs cannot use. */
const INTERNAL_OPTION =
	/^--(?:expose|allow-natives|abort-on|security-revert|harmony|max-|stack-size|no-opt|jitless|zero-fill|experimental-vm)/;

/** Fixtures of separate suites, and outputs that no case reads. */
const OTHER_FIXTURES = /^test\/fixtures\/(?:wpt|snapshot|test-runner|v8-coverage|x509-escaping)$/;

/** Features missing in a browser tab, by the names of the files that need them. */
const CAUSES: Suite['causes'] = [
	[
		/^test-crypto-(?:aes-wrap|authenticated|cipher-dec|cipheriv|classes|des3|getcipher|padding|private)|process-emit-warning-from-native/,
		'`node:crypto` has AES in CBC, CTR, ECB and GCM alone, no older ciphers'
	],
	[/unix-socket|^test-http-client-(?:pipe-end|response-domain)|^test-child-process-server-close/, 'no socket files'],
	[
		/^test-promise-hook|^test-process-binding|^test-http-(?:parser|set-max-idle)|^test-stdout-close/,
		"the engine's and Node's own insides"
	],
	[
		/^test-(?:process-(?:argv-0|execpath)|module-loading-globalpaths|fs-filehandle-use-after|child-process-fork-exec-path|stream-readable-unpipe)/,
		'`process.execPath` names no file'
	]
];

/** Node's own tests of the modules that programs use; each is one program, compared with the real Node. */
export const node: Suite = {
	name: 'node',
	title: "Node's tests",
	place: 'SANDGLASS_SUITE_NODE',
	repository: 'https://github.com/nodejs/node',
	causes: CAUSES,
	async load(folder) {
		const tree: Tree = { files: {}, binaries: {} };
		for (const below of ['test/common', 'test/fixtures']) {
			for await (const name of filesBelow(folder, below, (one) => OTHER_FIXTURES.test(one))) {
				const bytes = await readFile(path.join(folder, name));
				if (isUtf8(bytes)) tree.files[name] = bytes.toString('utf8');
				else tree.binaries[name] = bytes.toString('base64');
			}
		}
		tree.files[COMMON] = withNavigator(tree.files[COMMON] ?? '');
		const cases: Case[] = [];
		for (const file of (await readdir(path.join(folder, 'test/parallel'))).sort()) {
			const name = `test/parallel/${file}`;
			if (!moduleOf(file)) continue;
			const text = await readFile(path.join(folder, name), 'utf8');
			tree.files[name] = text;
			const one = caseOf(file, text, cases.length);
			if (one) cases.push(one);
		}
		return {
			version: await versionOf(folder),
			native: `node ${process.versions.node}`,
			cases,
			...tree,
			isCase: ({ stdout, status }) => status === 0 && !/^1\.\.0 # Skipped/m.test(stdout),
			env: (root) => ({ SUITE_ROOT: root, PATH: '/usr/local/bin:/usr/bin:/bin' })
		};
	}
};

const COMMON = 'test/common/index.js';
const KNOWN_GLOBALS = 'let knownGlobals = [';

/** Globals known to tests of Node 18, plus `navigator`, which Node has had since 21 and whose own tests allow it. */
function withNavigator(text: string): string {
	if (!text.includes(KNOWN_GLOBALS)) throw new Error(`${COMMON} lists the globals in another way.`);
	return text.replace(KNOWN_GLOBALS, `${KNOWN_GLOBALS}\n  ...(globalThis.navigator ? [globalThis.navigator] : []),`);
}

type Tree = Required<Pick<LoadedSuite, 'files' | 'binaries'>>;

function moduleOf(file: string): string | undefined {
	const words = /^test-([\w-]+)\.m?js$/.exec(file)?.[1]?.split('-') ?? [];
	const names = [words.slice(0, 3), words.slice(0, 2), words.slice(0, 1)].map((part) => part.join('-'));
	return names.find((name) => MODULES.has(name));
}

/**
 * The case of one file; none if it needs internals of the engine.
 *
 * @param index keeps the ports of parallel cases apart
 */
export function caseOf(file: string, text: string, index: number): Case | null {
	const group = moduleOf(file);
	const options = /^\/\/ Flags:(.*)$/m.exec(text)?.[1]?.split(/\s+/).filter(Boolean) ?? [];
	if (group === undefined || options.some((option) => INTERNAL_OPTION.test(option))) return null;
	return {
		name: file,
		group,
		script: ['NODE_TEST_DIR="$TMP" exec node', ...options, `"$SUITE_ROOT/test/parallel/${file}"`].join(' '),
		env: { NODE_COMMON_PORT: String(12_346 + index) }
	};
}

async function versionOf(folder: string): Promise<string> {
	const text = await readFile(path.join(folder, 'src/node_version.h'), 'utf8');
	return ['MAJOR', 'MINOR', 'PATCH']
		.map((part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1] ?? '?')
		.join('.');
}
