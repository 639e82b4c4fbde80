import type { SessionApi } from '#agent/api.ts';
import type { SessionEvent, SessionState } from '#agent/events.ts';
import type { DirEntry, ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import type { SessionStore, SessionSummary, ShareStep, StoredSession } from '#session/contract.ts';
import type { ModelChoice, Parts } from '#page/parts.ts';
import { ImportError } from '#workspace/import/errors.ts';
import type { Checkpoint, ProjectOrigin, WorkspaceApi } from '#workspace/contract.ts';
import { harnessLedger } from './egress.ts';
import { DONE, EVENTS, TROUBLE } from './events.ts';

/**
 * Stand-ins for viewing the page on its own: files in a map, a session that replays a recording. Nothing here is part
 * of the product; unknown members throw.
 */
function partly<T extends object>(known: Partial<T>, name: string): T {
	return new Proxy(known, {
		get(target, key) {
			if (key in target || typeof key === 'symbol' || key === 'then') return Reflect.get(target, key);
			throw new Error(`The harness has no ${name}.${key}.`);
		}
	}) as T;
}

const MODELS: ModelChoice[] = [
	{ model: 'claude-opus-4-6', provider: 'anthropic', label: 'Opus 4.6', scripted: false },
	{ model: 'gpt-5.6', provider: 'openai', label: 'GPT-5.6', scripted: false }
];
const DEMO: ModelChoice = { model: 'demo', provider: 'demo', label: 'Scripted demo', scripted: true };
const origin: ProjectOrigin = { kind: 'git', name: 'example/slugify', url: 'https://example.org/example/slugify' };

const TABLES = ['...symbols', '...latin', '...german', '...greek', '...cyrillic'];
const table = (rows: string[]): string =>
	`export const replacements = [\n${rows.map((row) => `\t${row}`).join(',\n')}\n];\n`;
const REPLACEMENTS = {
	before: table(TABLES),
	after: table(['...symbols', '...german', '...latin', '...greek', '...cyrillic'])
};

/** Files after each step of the shared session. */
const HISTORY: ShareStep[] = [
	{ checkpoint: 'c1', files: {}, removed: [], empty: [] },
	{ checkpoint: 'c1b', files: {}, removed: [], empty: [] },
	{
		checkpoint: 'c2',
		files: { 'src/replacements.ts': { mode: 0o100644, base64: btoa(REPLACEMENTS.after) } },
		removed: [],
		empty: []
	},
	{ checkpoint: 'c3', files: {}, removed: [], empty: [] },
	{
		checkpoint: null,
		files: { 'test/umlauts.test.ts': { mode: 0o100644, base64: btoa("test('replaces umlauts', () => {});\n") } },
		removed: ['notes.txt'],
		empty: []
	}
];

async function sampleFiles(): Promise<Map<string, Uint8Array>> {
	const manifest: { files: string[] } = await (await fetch('/sample/manifest.json')).json();
	const files = new Map<string, Uint8Array>();
	for (const path of manifest.files) {
		files.set(path, new Uint8Array(await (await fetch(`/sample/${path}`)).arrayBuffer()));
	}
	files.set('.git/HEAD', new TextEncoder().encode('ref: refs/heads/main\n'));
	files.set('logo.bin', new Uint8Array([0, 1, 2, 3]));
	files.set('index.html', new TextEncoder().encode('<h1>Hello</h1>'));
	return files;
}

async function environment(flow: string): Promise<ExecutionEnvironment> {
	const files = await sampleFiles();
	if (flow === 'trust') files.set('AGENTS.md', new TextEncoder().encode('Run the tests first.\n'));
	const listeners = new Set<(change: FileChange) => void>();
	const clean = (path: string): string => path.replace(/^\/workspace\/?/, '').replace(/^\.\/?$/, '');
	const bytes = (path: string): Uint8Array => {
		const found = files.get(clean(path));
		if (!found) throw new EnvironmentError('ENOENT', 'No such file.', path);
		return found;
	};
	const prompt = '\u001b[33mslugify main ❯\u001b[0m ';
	return partly<ExecutionEnvironment>(
		{
			workingDirectory: () => '/workspace',
			cleanup: async () => {},
			loopback: undefined,
			servePreview: undefined,
			language: undefined,
			diagnostics: undefined,
			preview: undefined,
			onChange: (listener) => {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
			fileExists: async (path) => files.has(clean(path)),
			readFile: async (path) => new TextDecoder().decode(bytes(path)),
			readBytes: async (path) => bytes(path),
			stat: async (path) => {
				const isFolder = [...files.keys()].some((file) => file.startsWith(`${clean(path)}/`));
				const size = isFolder ? 0 : bytes(path).length;
				return { kind: isFolder ? 'directory' : 'file', size, mode: 0o644, modifiedMs: 0 };
			},
			writeFile: async (path, content) => {
				const data = typeof content === 'string' ? new TextEncoder().encode(content) : content;
				files.set(clean(path), data);
				for (const listener of listeners) {
					listener({ seq: 1, path: `/workspace/${clean(path)}`, kind: 'write', mode: 0o100644, bytes: data });
				}
			},
			listDirectory: async (path, depth) => {
				const root = clean(path) === '' ? '' : `${clean(path)}/`;
				const found = new Map<string, DirEntry>();
				for (const [file, data] of files) {
					if (!file.startsWith(root)) continue;
					const parts = file.slice(root.length).split('/');
					for (let level = 1; level <= Math.min(depth, parts.length); level += 1) {
						const kind = level === parts.length ? 'file' : 'directory';
						const entry = parts.slice(0, level).join('/');
						found.set(entry, { path: entry, kind, size: data.length, mode: 0o644, modifiedMs: 0 });
					}
				}
				return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
			},
			glob: async () => [...files.keys()].filter((path) => !path.startsWith('.git/')),
			exec: async () => ({ stdout: '', stderr: '', exitCode: 1, timedOut: false, durationMs: 0 }),
			openTerminal: async () => ({
				write: () => {},
				resize: () => {},
				onData: (listener) => {
					listener(`${prompt}npm test\r\n\u001b[32m✔\u001b[0m 24 tests pass \u001b[90m(0.38 s)\u001b[0m\r\n${prompt}`);
					return () => {};
				},
				close: async () => {},
				exited: new Promise<number>(() => {})
			})
		},
		'environment'
	);
}

function workspace(env: ExecutionEnvironment): WorkspaceApi {
	const before = (text: string): string => text;
	const after = (text: string): string => text.replace('\t...latin,\n\t...german,', '\t...german,\n\t...latin,');
	const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
	const checkpoints: Checkpoint[] = ['c0', 'c1', 'c1b', 'c2', 'c3'].map((id, index) => ({
		id,
		tree: id.replace('c', 't'),
		label: index === 0 ? 'Imported' : 'turn',
		timestamp: Date.UTC(2026, 0, 1, 12) + index * 4_000,
		entryId: null
	}));
	return partly<WorkspaceApi>(
		{
			environment: env,
			origin,
			checkpoints,
			changes: async () => [
				{ path: 'src/replacements.ts', kind: 'modified', added: 1, removed: 1, binary: false, version: '1' }
			],
			compare: async (path) => {
				const text = await env.readFile(path);
				return { before: encode(before(text)), after: encode(after(text)), beforeMode: 0o100644, afterMode: 0o100644 };
			},
			revertHunk: async () => {},
			revertFile: async () => {},
			commit: async () => 'a1b2c3d4e5',
			goTo: async () => {},
			onUpdate: () => () => {}
		},
		'workspace'
	);
}

function session(events: SessionEvent[], state: SessionState): SessionApi {
	return partly<SessionApi>(
		{
			id: 'harness',
			state,
			queues: { steering: [], followUps: [[{ type: 'text', text: 'Then update the readme' }]] },
			events: (async function* () {
				yield* events;
				await new Promise(() => {});
			})(),
			fileFork: partly<SessionApi['fileFork']>(
				{ isOpen: false, environment: null, restore: async () => false },
				'fileFork'
			),
			stop: async () => {},
			abort: async () => {},
			close: async () => {},
			steer: () => {},
			followUp: () => {},
			setMode: () => {},
			images: {},
			tools: [
				{ name: 'read_file', label: 'Read', description: 'Reads a file, a picture or a notebook.' },
				{ name: 'edit_file', label: 'Edit', description: 'Replaces a text that stands once in a file.' },
				{ name: 'shell', label: 'Bash', description: 'Runs a command.' }
			],
			configure: () => {},
			setImages: () => {}
		},
		'session'
	);
}

const summary = (id: string, title: string, name: string, hoursAgo: number, changedFiles: number): SessionSummary => ({
	id,
	title,
	origin: { ...origin, name },
	createdMs: 0,
	updatedMs: Date.now() - hoursAgo * 3_600_000,
	changedFiles,
	model: 'claude-opus-4-6',
	provider: 'anthropic'
});

function stored(writable: boolean): StoredSession {
	const state = new Map<string, unknown>();
	return partly<StoredSession>(
		{
			damage: [],
			summary: summary('harness', 'example/slugify', 'example/slugify', 0, 1),
			writable,
			onWritableChange: () => () => {},
			trouble: null,
			onTrouble: () => () => {},
			warnings: [],
			log: partly<StoredSession['log']>(
				{ branch: () => [], entries: () => [], flush: async () => {}, leafId: () => null, moveTo: () => {} },
				'log'
			),
			restoreFiles: async () => {},
			attach: async (environment) => environment,
			flush: async () => {},
			close: async () => {},
			update: async () => {},
			readTree: async (tree) => {
				const names = [...(await sampleFiles()).keys()];
				return new Map(
					names.map((path) => {
						const isEdited = path === 'src/replacements.ts' && tree >= 't2';
						return [path, { mode: 0o100644, blob: `${isEdited ? 'after' : 'before'}:${path}` }];
					})
				);
			},
			readBlob: async (blob) => {
				const [side = '', path = ''] = blob.split(':');
				const text = new TextDecoder().decode((await sampleFiles()).get(path));
				const edited = text.replace('\t...latin,\n\t...german,', '\t...german,\n\t...latin,');
				return new TextEncoder().encode(side === 'after' ? edited : text);
			},
			readPageState: async <T>(key: string) => state.get(key) as T | undefined,
			writePageState: async (key, value) => void state.set(key, value)
		},
		'stored'
	);
}

const FOLDERS = [
	['apps/admin', 812, 41_000_000],
	['apps/web', 2_140, 96_000_000],
	['assets', 390, 610_000_000],
	['docs', 214, 9_800_000],
	['packages/core', 655, 18_400_000]
].map(([path, files, bytes]) => ({ path: String(path), files: Number(files), bytes: Number(bytes) }));

/** @param options query parameters of the harness */
export function harnessParts(options: URLSearchParams): Parts {
	const flow = options.get('flow') ?? 'waiting';
	const store = partly<SessionStore>(
		{
			list: async () =>
				flow === 'first'
					? []
					: [
							summary('a', 'German umlauts', 'example/slugify', 0.03, 1),
							summary('b', 'The scripted demo', 'slugify', 26, 1),
							summary('c', 'Upgrade to the new router', 'acme/storefront', 70, 14)
						],
			create: async () => stored(flow !== 'read-only'),
			enlist: async () => {},
			discard: async () => {},
			rename: async () => {},
			open: async () => stored(true),
			read: async () => stored(false),
			onChange: () => () => {}
		},
		'store'
	);
	return {
		version: '0.1.0',
		modes: ['plan', 'ask', 'auto-edit', 'full'],
		previewFrameUrl: '/preview-frame',
		missing: () => null,
		egress: harnessLedger(flow === 'egress'),
		prepare: () => {},
		openStore: async () => store,
		createEnvironment: () => environment(flow),
		importRepository: async (_source, _environment, { onProgress, signal } = {}) => {
			onProgress?.({
				phase: 'downloading',
				receivedBytes: 1_834_000,
				totalBytes: 4_100_000,
				files: 212,
				elapsedMs: 640
			});
			if (flow === 'importing') {
				await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
			}
			if (flow === 'too-large') throw new ImportError('too_large', '812000000 bytes', FOLDERS);
			if (flow === 'failing') throw Object.assign(new Error('404'), { code: 'not_found' });
			return { origin, files: 14, bytes: 9000, notices: [] };
		},
		openWorkspace: async (env) => workspace(env),
		models: async () => (flow === 'no-key' ? [DEMO] : MODELS),
		demoModel: () => DEMO,
		demoTask: async () => 'Fix the tests.',
		startAgent: async (start) => {
			if (flow === 'empty' || flow === 'trust') return session([], 'idle');
			if (flow === 'trouble') return session(TROUBLE, 'idle');
			if (flow === 'done') return session(DONE, 'idle');
			const request = EVENTS.at(-1);
			if (request?.type === 'permission_request') void start.askPermission(request, new AbortController().signal);
			return session(EVENTS, 'processing');
		},
		changeModel: async () => {},
		writeText: async (_choice, _order, onText) => {
			onText('Try the German table before the Latin one');
			return {
				inputTokens: 900,
				outputTokens: 40,
				reasoningTokens: 0,
				cacheReadTokens: 0,
				cacheWriteTokens: 0,
				costUsd: 0.002
			};
		},
		share: {
			describe: async () => ({
				entries: 42,
				files: [{ path: 'src/replacements.ts', bytes: 412 }],
				base: { url: 'https://example.org/example/slugify', commit: 'abc' },
				secrets: [{ id: 's1', kind: 'API key', where: '.env' }],
				inline: false,
				bytes: 18_400,
				checkpoints: 4,
				commands: 2
			}),
			exportFile: async () => new Uint8Array([1]),
			openFile: async () => {
				throw Object.assign(new Error('locked'), { code: 'passphrase' });
			},
			delete: async () => {},
			create: async () => ({
				id: '4f2a9c',
				deleteToken: 'token',
				url: `${location.origin}/#s=4f2a9c.Jm0yV3nqk1Qx`,
				expiresAt: Date.now() + 30 * 86_400_000
			}),
			open: async () => ({
				version: 1,
				origin,
				title: 'Fix the German umlauts in slugify',
				files: {
					'README.md': { mode: 0o100644, base64: btoa('# slugify\n\nTurns titles into addresses.\n') },
					'src/replacements.ts': { mode: 0o100644, base64: btoa(REPLACEMENTS.after) },
					'test/umlauts.test.ts': { mode: 0o100644, base64: btoa("test('replaces umlauts', () => {});\n") }
				},
				removed: ['notes.txt'],
				before: {
					'src/replacements.ts': { mode: 0o100644, base64: btoa(REPLACEMENTS.before) },
					'test/umlauts.test.ts': null,
					'notes.txt': { mode: 0o100644, base64: btoa('Look at the order of the tables.\n') }
				},
				entries: DONE.map((event, index) => ({
					id: String(index),
					parentId: index === 0 ? null : String(index - 1),
					timestamp: event.timestamp,
					type: 'event' as const,
					event
				})),
				checkpoints: ['c0', 'c1', 'c1b', 'c2', 'c3'].map((id, index) => ({
					id,
					tree: id,
					label: index === 0 ? 'Imported' : 'turn',
					timestamp: Date.UTC(2026, 0, 1, 12) + index * 4_000,
					entryId: null
				})),
				history: HISTORY,
				viewOnly: false
			})
		}
	};
}
