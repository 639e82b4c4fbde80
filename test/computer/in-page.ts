import kernelUrl from '#computer/kernel/main.ts?program';
import { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import type { Connection } from '#computer/host/connection.ts';
import { assetBytes, fetchText, programText } from '#computer/host/shipping.ts';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import type { ShippedProgram } from '#computer/programs.ts';
import type { BootMessage, Memory } from '#computer/abi/protocol.ts';

/**
 * Opens a sandbox whose kernel runs in the test's own page instead of the frame: for tests of programs, for which this
 * makes no difference. Pass the programs the test needs; the one that answers `bash` runs the command line given to
 * `exec`.
 *
 * @param memory `snapshot`: as in a browser without shared memory
 * @param assets name → address, for `context.module` and `syscalls.asset`
 * @param egress answers the sandbox's requests; without it, there is no network
 */
export async function sandboxInPage(
	programs: ShippedProgram[],
	assets: Record<string, string> = {},
	memory: Memory = 'shared',
	egress: (request: WireRequest) => Promise<WireResponse> = noNetwork
): Promise<WasmExecutionEnvironment> {
	const sandbox = { kernelUrl, programs, assets };
	const environment = new WasmExecutionEnvironment({
		connect: () => startKernel(programs, memory),
		answer: async (question) => {
			if (question.kind === 'program') return programText(sandbox, question.name);
			if (question.kind === 'asset') return assetBytes(sandbox, question.name);
			if (question.kind === 'preview')
				throw Object.assign(new Error('nothing displays a preview in this test'), { code: 'ENOSYS' });
			return egress(question.request);
		}
	});
	await environment.initialize();
	return environment;
}

function noNetwork(): Promise<never> {
	return Promise.reject(Object.assign(new Error('there is no network in this test'), { code: 'ECONNREFUSED' }));
}

async function startKernel(programs: ShippedProgram[], memory: Memory): Promise<Connection> {
	const text = await fetchText(kernelUrl);
	const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
	const gone = new Promise<string>((resolve) => (worker.onerror = (event) => resolve(event.message)));
	const { port1, port2 } = new MessageChannel();
	const entries = programs.map(({ url: _, ...entry }) => entry);
	const boot: BootMessage = { type: 'boot', scheme: 'blob', programs: entries, memory, port: port2 };
	worker.postMessage(boot, [port2]);
	return { port: port1, memory, gone, dispose: () => worker.terminate() };
}
