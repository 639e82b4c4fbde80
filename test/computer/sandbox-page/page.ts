import pyodide from 'pyodide/pyodide.asm.wasm?url';
import sqlite from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url';
import brotli from 'virtual:brotli-module';
import library from 'virtual:python-library';
import snapshot from 'virtual:python-snapshot';
import zoneinfo from 'virtual:zoneinfo';
import kernelUrl from '#computer/kernel/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import npmUrl from '#computer/npm/main.ts?program';
import pythonUrl from '#computer/python/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import runnersUrl from '#computer/test-runners/main.ts?program';
import { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { ZONE_ARCHIVE } from '#computer/abi/time-zones.ts';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import type { BootMessage } from '#computer/abi/protocol.ts';
import { assetBytes, fetchText, programText } from '#computer/host/shipping.ts';
import { LIBRARY, SNAPSHOT } from '#computer/python/settings.ts';
import { PROGRAMS } from '#computer/program-table.ts';

/** A page with one sandbox, driven from Node by `open.ts`. */
const programs = [
	{ ...PROGRAMS.shell, url: shellUrl },
	{ ...PROGRAMS.node, url: nodeUrl },
	{ ...PROGRAMS.npm, url: npmUrl },
	{ ...PROGRAMS.testRunners, url: runnersUrl },
	{ ...PROGRAMS.python, url: pythonUrl }
];
const assets = {
	'brotli.wasm': brotli,
	'sqlite3.wasm': sqlite,
	'pyodide.asm.wasm': pyodide,
	[LIBRARY]: library,
	[SNAPSHOT]: snapshot,
	[ZONE_ARCHIVE]: zoneinfo
};
const sandbox = { kernelUrl, programs, assets };

const environment = new WasmExecutionEnvironment({
	connect: async () => {
		const text = await fetchText(kernelUrl);
		const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
		const gone = new Promise<string>((resolve) => (worker.onerror = (event) => resolve(event.message)));
		const { port1, port2 } = new MessageChannel();
		const entries = programs.map(({ url: _, ...entry }) => entry);
		const boot: BootMessage = { type: 'boot', scheme: 'blob', programs: entries, port: port2 };
		worker.postMessage(boot, [port2]);
		return { port: port1, gone, dispose: () => worker.terminate() };
	},
	answer: async (question) => {
		if (question.kind === 'program') return programText(sandbox, question.name);
		if (question.kind === 'asset') return assetBytes(sandbox, question.name);
		if (question.kind === 'preview')
			throw Object.assign(new Error('nothing displays a preview in this test'), { code: 'ENOSYS' });
		return relayed(question.request);
	}
});

const REGISTRIES = /^https:\/\/(registry\.npmjs\.org|pypi\.org|files\.pythonhosted\.org)\//;

/** Lets the server of `open.ts` forward a request to the package registries, the only reachable hosts. */
async function relayed({ method, url, headers, body }: WireRequest): Promise<WireResponse> {
	const unreachable = () => Object.assign(new Error('there is no network in this test'), { code: 'ENOTFOUND' });
	if (!REGISTRIES.test(url)) throw unreachable();
	const answer = await fetch('/relay', {
		method: 'POST',
		headers: { 'x-request': encodeURIComponent(JSON.stringify({ method, url, headers })) },
		body: body === null ? null : new Uint8Array(body)
	}).catch((error: unknown) => {
		throw Object.assign(new Error(String(error)), { code: 'ENETUNREACH' });
	});
	const described = answer.headers.get('x-answer');
	if (described === null) throw unreachable();
	const head = JSON.parse(decodeURIComponent(described)) as Omit<WireResponse, 'body'>;
	return { ...head, body: new Uint8Array(await answer.arrayBuffer()) };
}

/** @param tree address of the files, as `open.ts` serves them: a JSON list of [path, mode, size], then their bytes */
async function load(tree: string): Promise<number> {
	const bytes = new Uint8Array(await (await fetch(tree)).arrayBuffer());
	const headLength = new DataView(bytes.buffer).getUint32(0, true);
	const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headLength))) as [string, number, number][];
	let at = 4 + headLength;
	await environment.load(
		(async function* () {
			for (const [path, mode, size] of head) {
				yield { path: path.slice(1), mode, bytes: bytes.slice(at, at + size) };
				at += size;
			}
		})(),
		{ root: '/' }
	);
	return head.length;
}

async function get(port: number, target: string): Promise<{ status: number; text: string }> {
	const answer = await environment.loopback.fetch(port, { method: 'GET', target, headers: [], body: null });
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	for await (const chunk of answer.body) chunks.push(new Uint8Array(chunk));
	return { status: answer.status, text: await new Blob(chunks).text() };
}

/** Starts a server and waits until one of its ports listens. */
async function serve(command: string): Promise<number> {
	const listening = new Promise<number>((resolve) => {
		const stop = environment.loopback.onPorts(([first]) => {
			if (!first) return;
			stop();
			resolve(first.port);
		});
	});
	const process = await environment.start(command);
	return Promise.race([
		listening,
		process.exited.then(({ exitCode, stderr }) => Promise.reject(new Error(`ended with ${exitCode}: ${stderr}`)))
	]);
}

const driven = {
	load,
	get,
	serve,
	exec: (command: string, timeoutMs: number) => environment.exec(command, { timeoutMs }),
	remove: (path: string) => environment.remove(path, { recursive: true })
};
export type DrivenSandbox = typeof driven;

void environment.initialize().then(() => Object.assign(globalThis, { driven }));
