import { expect, it, vi } from 'vitest';
import type { ExecResult, ExecutionEnvironment, FileChange, WebSocketRequest } from '#environment/contract.ts';
import { PreviewState } from '#page/preview/preview-state.svelte.ts';

/** An environment with HTML documents of one script each, whose commands count how many run at a time. */
function environmentThatCounts(): { environment: ExecutionEnvironment; most: () => number } {
	let running = 0;
	let most = 0;
	const ended: ExecResult = { stdout: '', stderr: '', exitCode: 0, timedOut: false, durationMs: 0 };
	const known: Partial<ExecutionEnvironment> = {
		onChange: () => () => {},
		workingDirectory: () => '/home/user/project',
		readFile: async (path) => {
			if (path.endsWith('.html')) return '<!doctype html><script type="module" src="app.ts"></script>';
			if (path.endsWith('.map')) return JSON.stringify({ version: 3, sources: [], names: [], mappings: '' });
			if (path.endsWith('package.json')) return '{}';
			return '';
		},
		fileExists: async (path) => !path.endsWith('.css'),
		remove: async () => {},
		stat: async () => ({ kind: 'file', size: 1, mode: 0o644, modifiedMs: 0 }),
		listDirectory: async () => [],
		exec: async () => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setTimeout(resolve));
			running--;
			return ended;
		}
	};
	return { environment: known as ExecutionEnvironment, most: () => most };
}

it('builds documents that are asked for at once one after the other', async () => {
	const { environment, most } = environmentThatCounts();
	const preview = new PreviewState(environment);
	const documents = await Promise.all([
		preview.documentAt('a.html'),
		preview.documentAt('b.html'),
		preview.show({ kind: 'document', path: 'index.html' })
	]);
	expect(documents[0]).toContain('<script type="module">');
	expect(most()).toBe(1);
});

it('leaves a server’s page to the server’s own hot updates while it is connected', async () => {
	let change: (change: FileChange) => void = () => {};
	const environment = {
		workingDirectory: () => '/home/user/project',
		onChange: (listener: typeof change) => ((change = listener), () => {})
	} as unknown as ExecutionEnvironment;
	const preview = new PreviewState(environment);
	await preview.show({ kind: 'port', port: 5173 });
	const reload = vi.fn();
	preview.onReload = reload;
	const sockets: WebSocketRequest[] = [];
	const site = preview.hot.watch({
		answer: () => Promise.reject(new Error('not asked here')),
		webSocket: async (request) => {
			sockets.push(request);
			return { protocol: 'vite-hmr', send: () => {}, close: () => {} };
		}
	});
	await site.webSocket!({ target: '/', protocols: ['vite-hmr'], headers: [], onMessage: () => {}, onEnd: () => {} });

	change({ path: '/home/user/project/src/App.tsx', kind: 'write', seq: 1, mode: 0o100644 });
	const taken = preview.takeChanges();
	sockets[0]!.onMessage('{"type":"update"}');
	await taken;
	expect(reload).not.toHaveBeenCalled();

	// The server is gone: the page reloads, like that of any other server.
	sockets[0]!.onEnd({ code: 1006, reason: '', isClean: false });
	change({ path: '/home/user/project/src/App.tsx', kind: 'write', seq: 1, mode: 0o100644 });
	await preview.takeChanges();
	expect(reload).toHaveBeenCalledTimes(1);
	preview.leave();
});
