/** Long flags that Node 22 allows in `NODE_OPTIONS`; those with `!` also have a form with `no-`. */
const LONG =
	'abort-on-uncaught-exception addons! allow-addons! allow-child-process! allow-fs-read allow-fs-write ' +
	'allow-wasi! allow-worker! conditions cpu-prof! cpu-prof-dir cpu-prof-interval cpu-prof-name ' +
	'debug-arraybuffer-allocations! debug-port deprecation! diagnostic-dir disable-proto disable-sigusr1! ' +
	'disable-warning disable-wasm-trap-handler! disallow-code-generation-from-strings dns-result-order ' +
	'enable-etw-stack-walking enable-fips! enable-network-family-autoselection enable-source-maps! entry-url! ' +
	'es-module-specifier-resolution experimental-abortcontroller experimental-addon-modules! ' +
	'experimental-async-context-frame! experimental-default-type experimental-detect-module! ' +
	'experimental-eventsource! experimental-fetch! experimental-global-customevent! ' +
	'experimental-global-navigator! experimental-global-webcrypto! experimental-import-meta-resolve! ' +
	'experimental-json-modules experimental-loader experimental-modules experimental-permission ' +
	'experimental-print-required-tla! experimental-repl-await! experimental-report experimental-require-module! ' +
	'experimental-shadow-realm! experimental-specifier-resolution experimental-sqlite! experimental-strip-types! ' +
	'experimental-top-level-await experimental-transform-types! experimental-vm-modules! ' +
	'experimental-wasi-unstable-preview1 experimental-wasm-modules experimental-websocket! ' +
	'experimental-webstorage! experimental-worker expose-gc extra-info-on-fatal-exception! ' +
	'force-async-hooks-checks! force-context-aware! force-fips! force-node-api-uncaught-exceptions-policy! ' +
	'frozen-intrinsics! global-search-paths! heap-prof! heap-prof-dir heap-prof-interval heap-prof-name ' +
	'heapsnapshot-near-heap-limit heapsnapshot-signal http-parser huge-max-old-generation-size icu-data-dir ' +
	'import input-type insecure-http-parser! inspect! inspect-brk! inspect-port inspect-publish-uid inspect-wait! ' +
	'interpreted-frames-native-stack jitless loader localstorage-file max-http-header-size max-old-space-size ' +
	'max-old-space-size-percentage max-semi-space-size napi-modules network-family-autoselection! ' +
	'network-family-autoselection-attempt-timeout node-memory-debug node-snapshot! openssl-config ' +
	'openssl-legacy-provider! openssl-shared-config! pending-deprecation! perf-basic-prof ' +
	'perf-basic-prof-only-functions perf-prof perf-prof-unwinding-info permission! preserve-symlinks! ' +
	'preserve-symlinks-main! prof-process redirect-warnings report-compact! report-dir report-directory ' +
	'report-exclude-env! report-exclude-network! report-filename report-on-fatalerror! report-on-signal! ' +
	'report-signal report-uncaught-exception! require secure-heap secure-heap-min snapshot-blob stack-trace-limit ' +
	'test-coverage-branches test-coverage-exclude test-coverage-functions test-coverage-include ' +
	'test-coverage-lines test-name-pattern test-only! test-reporter test-reporter-destination test-shard ' +
	'test-skip-pattern throw-deprecation! title tls-cipher-list tls-keylog tls-max-v1.2! tls-max-v1.3! ' +
	'tls-min-v1.0! tls-min-v1.1! tls-min-v1.2! tls-min-v1.3! trace-atomics-wait! trace-deprecation! trace-env! ' +
	'trace-env-js-stack! trace-env-native-stack! trace-event-categories trace-event-file-pattern ' +
	'trace-events-enabled trace-exit! trace-promises! trace-require-module trace-sigint! trace-sync-io! ' +
	'trace-tls! trace-uncaught! trace-warnings! track-heap-objects! unhandled-rejections use-bundled-ca! ' +
	'use-env-proxy! use-largepages use-openssl-ca! use-system-ca! v8-pool-size verify-base-objects! warnings! ' +
	'watch! watch-kill-signal watch-path watch-preserve-output! zero-fill-buffers!';

/** Short flags that it allows. */
const SHORT = ['-C', '-r'];

/** `process.allowedNodeEnvironmentFlags`: cannot be changed, and finds a flag in each of its spellings. */
class NodeEnvironmentFlagsSet extends Set<string> {
	override has(flag: unknown): boolean {
		if (typeof flag !== 'string') return false;
		const spelled = flag.replaceAll('_', '-');
		if (!spelled.startsWith('-')) return super.has(`--${spelled}`) || super.has(`-${spelled}`);
		return super.has(spelled.replace(/=.*$/s, ''));
	}

	override add(): this {
		return this;
	}

	override delete(): boolean {
		return false;
	}

	override clear(): void {
		// The set stays as it is.
	}
}

/** Creates the set of flags that may be in `NODE_OPTIONS`. */
export function allowedEnvironmentFlags(): Set<string> {
	const flags = new NodeEnvironmentFlagsSet();
	const long = LONG.split(' ').flatMap((name) =>
		name.endsWith('!') ? [`--${name.slice(0, -1)}`, `--no-${name.slice(0, -1)}`] : [`--${name}`]
	);
	for (const flag of [...long, ...SHORT]) Set.prototype.add.call(flags, flag);
	return Object.freeze(flags);
}
