import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stringify } from 'yaml';
import { WebSocketServer } from 'ws';
import { apiGroup } from '#server/machines/kubernetes/answers.ts';
import { KubernetesApi } from '#server/machines/kubernetes/api.ts';
import { readCluster, type Cluster } from '#server/machines/kubernetes/cluster.ts';
import { openExec } from '#server/machines/kubernetes/exec-socket.ts';
import { errorOf, exitCodeOf } from '#server/machines/kubernetes/status.ts';
import { readTemplate } from '#server/machines/kubernetes/template.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-cluster-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, content: unknown): string {
	const file = path.join(folder, name);
	writeFileSync(file, typeof content === 'string' ? content : stringify(content));
	return file;
}

const config = (cluster: object, user: object, namespace?: string) => ({
	'current-context': 'here',
	contexts: [
		{ name: 'other', context: { cluster: 'missing', user: 'missing' } },
		{ name: 'here', context: { cluster: 'one', user: 'me', namespace } }
	],
	clusters: [
		{ name: 'two', cluster: { server: 'https://two.example' } },
		{ name: 'one', cluster }
	],
	users: [
		{ name: 'you', user: { token: 'of another' } },
		{ name: 'me', user }
	]
});
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a cluster', () => {
	it('is found from inside by its variables and the service account, whose token may be renewed', () => {
		put('token', 'first\n');
		put('namespace', 'machines\n');
		put('ca.crt', 'the authority');
		const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
		const cluster = readCluster('in-cluster', { env, serviceAccount: folder });
		expect(cluster).toMatchObject({
			server: 'https://[fd00::1]:6443',
			namespace: 'machines',
			tls: { ca: 'the authority' }
		});
		expect(cluster.token()).toBe('first');
		expect(readCluster('in-cluster', { env, serviceAccount: folder, namespace: 'other' }).namespace).toBe('other');
		const v4 = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
		expect(readCluster('in-cluster', { env: v4, serviceAccount: folder }).server).toBe('https://10.0.0.1:443');
		expect(() => readCluster('in-cluster', { env: {}, serviceAccount: folder })).toThrow('runs in no pod');
	});

	it('is found by the current context of a kubeconfig', () => {
		const server = 'https://cluster.example:6443//';
		const inline = put(
			'inline',
			config({ server, 'certificate-authority-data': base64('authority') }, { token: 'word' }, 'ours')
		);
		const read = readCluster(inline);
		expect(read).toMatchObject({ server: 'https://cluster.example:6443', namespace: 'ours', tls: { ca: 'authority' } });
		expect(read.token()).toBe('word');
		put('client.crt', 'certificate');
		put('client.key', 'key');
		const files = put('files', config({ server }, { 'client-certificate': 'client.crt', 'client-key': 'client.key' }));
		expect(readCluster(files)).toMatchObject({ namespace: 'default', tls: { cert: 'certificate', key: 'key' } });
		expect(readCluster(files).token()).toBeUndefined();
	});

	it('may have its certificates in the kubeconfig or beside it, another name in them, or none that count', () => {
		const server = 'https://10.0.0.1';
		put('ca.pem', 'the authority');
		const beside = put('beside', config({ server, 'certificate-authority': 'ca.pem' }, { token: 'word' }));
		expect(readCluster(beside).tls).toEqual({ ca: 'the authority' });
		const user = { 'client-certificate-data': base64('certificate'), 'client-key-data': base64('key') };
		const within = put('within', config({ server, 'tls-server-name': 'cluster.example' }, user));
		expect(readCluster(within).tls).toEqual({ cert: 'certificate', key: 'key', servername: 'cluster.example' });
		const unchecked = put('unchecked', config({ server, 'insecure-skip-tls-verify': true }, { token: 'word' }));
		expect(readCluster(unchecked).tls).toEqual({ rejectUnauthorized: false });
	});

	it('reads a token that is renewed in its file at most once a minute', () => {
		vi.useFakeTimers({ toFake: ['performance'] });
		onTestFinished(() => void vi.useRealTimers());
		put('renewed', 'first\n');
		const cluster = readCluster(
			put('with-file', config({ server: 'https://a' }, { tokenFile: 'renewed', token: 'old' }))
		);
		expect(cluster.token()).toBe('first');
		put('renewed', 'second\n');
		vi.advanceTimersByTime(60_000);
		expect(cluster.token()).toBe('first');
		vi.advanceTimersByTime(1);
		expect(cluster.token()).toBe('second');
	});

	it('reads files of up to 1 MB', () => {
		const limit = 1_048_576;
		const file = put('long', config({ server: 'https://a' }, { tokenFile: 'token-of-1-mb' }));
		const token = (length: number) => {
			put('token-of-1-mb', 'x'.repeat(length));
			return readCluster(file).token();
		};
		expect(token(limit)).toHaveLength(limit);
		expect(() => token(limit + 1)).toThrow(/token-of-1-mb is larger than 1 MB\.$/);
	});

	it('is refused with a reason, and without a secret in it', () => {
		const https = { server: 'https://cluster.example' };
		const problem = (content: unknown): string => {
			try {
				readCluster(put('wrong', content));
				return '';
			} catch (error) {
				return String(error);
			}
		};
		expect(problem(config({ server: 'http://cluster.example' }, { token: 'secret-word' }))).toContain('https://');
		expect(problem(config({ server: 'http://127.0.0.1:8001' }, { token: 'secret-word' }))).toBe('');
		for (const server of ['cluster.example', 'ftp://127.0.0.1'])
			expect(problem(config({ server }, { token: 'secret-word' }))).toMatch(
				/^ClusterError: The server of .*wrong must have an https:\/\/ address\.$/
			);
		expect(problem(config(https, { exec: { command: 'aws' } }))).toContain(
			'Programs that fetch credentials are not run'
		);
		for (const missing of ['users', 'clusters', 'contexts'])
			expect(problem({ ...config(https, { token: 'secret-word' }), [missing]: [] })).toMatch(
				/wrong lacks the cluster or the user of its current context\.$/
			);
		for (const half of ['client-certificate-data', 'client-key-data'])
			expect(problem(config(https, { [half]: base64('secret-word') }))).toContain(
				'has neither a token nor a client certificate'
			);
		expect(problem({ users: 'secret-word' })).toContain('is no kubeconfig');
		expect(problem(config({ server: 1 }, { token: 'secret-word' }))).toMatch(
			/is no kubeconfig: clusters\.1\.cluster\.server is missing or wrong\.$/
		);
		expect(problem('a: [secret-word')).toContain('neither YAML nor JSON');
		expect(() => readCluster(path.join(folder, 'none'))).toThrow('ENOENT');
		for (const content of [
			{ users: 'secret-word' },
			'a: [secret-word',
			config({ server: 'x' }, { token: 'secret-word' })
		])
			expect(problem(content)).not.toContain('secret-word');
	});

	it('is believed with a certificate of its authority only, for calls and for programs', async () => {
		const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
		const [key, cert] = [path.join(folder, 'tls.key'), path.join(folder, 'tls.crt')];
		const openssl = [
			'req',
			'-x509',
			'-newkey',
			'ec',
			'-pkeyopt',
			'ec_paramgen_curve:prime256v1',
			'-nodes',
			'-days',
			'2'
		];
		await promisify(execFile)('openssl', [...openssl, ...names, '-keyout', key, '-out', cert]);
		const ca = readFileSync(cert, 'utf8');
		const server = https.createServer({ key: readFileSync(key), cert: ca }, (_, response) => {
			response.end(JSON.stringify({ versions: [{ version: 'v1' }] }));
		});
		const sockets = new WebSocketServer({ server });
		await new Promise<void>((resolve) => server.listen(0, resolve));
		onTestFinished(() => {
			sockets.close();
			server.close();
			server.closeAllConnections();
		});
		const { port } = server.address() as AddressInfo;
		const reached = async (tls: Cluster['tls']) => {
			const cluster = { server: `https://localhost:${port}`, namespace: 'machines', tls, token: () => 'word' };
			const api = new KubernetesApi(cluster);
			const call = api.ask({ method: 'GET', path: '/apis/example' }, apiGroup);
			const program = openExec(api, {
				...{ pod: 'one', container: 'machine', argv: ['true'], isTerminal: false },
				protocols: ['v5.channel.k8s.io']
			}).then((socket) => socket.terminate());
			return (await Promise.allSettled([call, program])).map(({ status }) => status);
		};
		expect(await reached({ ca })).toEqual(['fulfilled', 'fulfilled']);
		expect(await reached({})).toEqual(['rejected', 'rejected']);
	});
});

describe('the answers of a cluster', () => {
	const failure = (causes: unknown, reason = 'NonZeroExitCode') =>
		JSON.stringify({ status: 'Failure', reason, message: 'why', details: { causes } });

	it('say how a program ended', () => {
		expect(exitCodeOf('{"metadata":{},"status":"Success"}')).toBe(0);
		expect(exitCodeOf(failure([{ reason: 'ExitCode', message: '137' }]))).toBe(137);
	});

	it.each([
		['nothing', ''],
		['no object', '[]'],
		['a code that is none', failure([{ reason: 'ExitCode', message: '1e9' }])],
		['no code', failure([])],
		['another reason', failure([{ reason: 'ExitCode', message: '1' }], 'InternalError')]
	])('that are %s end a program with an error', (_, body) => {
		expect(() => exitCodeOf(body)).toThrow('Kubernetes');
	});

	it('are quoted as far as they fit in a message', () => {
		expect(errorOf(403, JSON.stringify({ message: 'pods is forbidden' })).message).toBe(
			'Kubernetes answered 403: pods is forbidden'
		);
		expect(errorOf(500, JSON.stringify({ message: 'x'.repeat(50_000) })).message.length).toBeLessThan(1_100);
		expect(errorOf(502, '<html>').message).toContain('no reason given');
	});
});

describe('a template for machines', () => {
	it('says where they run', () => {
		const spec = {
			nodeSelector: { pool: 'machines' },
			tolerations: [{ key: 'machines', operator: 'Exists' }],
			imagePullSecrets: [{ name: 'registry' }],
			hostUsers: false
		};
		for (const kind of ['PodTemplate', 'Pod']) {
			const template = { apiVersion: 'v1', kind, metadata: { labels: { team: 'a' } }, spec };
			expect(readTemplate(put('template', template))).toEqual(template);
		}
		expect(readTemplate(put('template', '{}'))).toEqual({});
	});

	it.each([
		[{ spec: { hostUsers: true } }, 'spec.hostUsers'],
		[{ spec: { imagePullSecrets: [{ name: 1 }] } }, 'spec.imagePullSecrets.0.name'],
		[{ status: {} }, 'its top'],
		['text', 'its top']
	])('that is %j is refused at %s, with what it may set', (template, place) => {
		expect(() => readTemplate(put('template', template))).toThrow(
			new RegExp(
				`template is no template for machines, at ${place}: .+\\. It may set labels, annotations, nodeSelector, ` +
					'tolerations, affinity, imagePullSecrets, priorityClassName, schedulerName and hostUsers: false\\.$'
			)
		);
	});

	it.each([
		{ containers: [] },
		{ volumes: [{ name: 'host', hostPath: { path: '/' } }] },
		{ hostNetwork: true },
		{ hostUsers: true },
		{ serviceAccountName: 'admin' },
		{ securityContext: { runAsUser: 0 } },
		{ runtimeClassName: 'weaker' }
	])('cannot set %o', (spec) => {
		expect(() => readTemplate(put('template', { spec }))).toThrow('is no template for machines');
	});
});
