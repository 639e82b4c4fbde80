import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { noNginx, through } from '../processes/nginx.ts';
import { RUNNER, ask, startSandglass } from '../start.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');

/** The first nginx server of the deploy page, on a Unix socket instead of TLS and a password file. */
function example(socketPath: string, serverUrl: string): string {
	const [, text = ''] = /```nginx\n(server \{[\s\S]*?\n\})\n```/.exec(guide) ?? [];
	return text
		.replace('listen 443 ssl;', `listen unix:${socketPath};`)
		.replace(/^\s*auth_basic.*$/gm, '')
		.replace('http://127.0.0.1:5173', serverUrl);
}

it.skipIf(noNginx)(
	'the nginx of the deploy page demands TLS from then on, and leaves our policies as they are',
	async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-nginx-'));
		onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
		mkdirSync(path.join(folder, 'page'));
		writeFileSync(path.join(folder, 'page/index.html'), '<!doctype html>page');
		const server = await startSandglass(
			{ SANDGLASS_HOSTS: 'sandglass.test' },
			{ pageDir: path.join(folder, 'page'), runner: RUNNER }
		);
		const socketPath = path.join(folder, 'socket');
		const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
			(name) => `${name}_temp_path ${folder}/${name};`
		);
		writeFileSync(
			path.join(folder, 'nginx.conf'),
			`daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
		http { access_log off; ${temporary.join(' ')} ${example(socketPath, server.url)} }`
		);
		const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
			stdio: ['ignore', 'ignore', 'inherit'],
			env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }
		});
		const ended = once(nginx, 'exit');
		onTestFinished(async () => {
			nginx.kill('SIGKILL');
			await ended;
		});
		await vi.waitFor(() => expect(existsSync(socketPath)).toBe(true), 10_000);

		for (const address of ['/', '/runner?v=b1', '/preview-frame', '/api/none']) {
			const passed = await through({ socketPath }, { path: address });
			const own = await ask(server.url + address, { headers: { host: 'sandglass.test' } });
			expect(passed.status, address).toBe(own.status);
			expect(passed.headers['strict-transport-security'], address).toBe('max-age=31536000');
			for (const name of ['content-security-policy', 'permissions-policy', 'cross-origin-embedder-policy'])
				expect([address, name, passed.headers[name]]).toEqual([address, name, own.headers[name]]);
		}
	}
);
