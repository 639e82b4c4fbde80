import { EnvironmentError } from '#environment/errors.ts';
import { WasmExecutionEnvironment } from './execution-environment.ts';
import runnerBuild from '#computer/frame/runner.ts?runner';
import type { Pauses } from './command-clock.ts';
import { connectFrame } from './frame-connection.ts';
import { assetBytes, fetchText, programText } from './shipping.ts';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import type { Memory } from '#computer/abi/protocol.ts';
import { shipped, type ShippedSandbox } from '#computer/programs.ts';

export { WasmExecutionEnvironment };

export interface WasmEnvironmentOptions {
	/**
	 * Sends one HTTP request of the sandbox, or rejects with an error whose `code` the program receives (`ECONNREFUSED`
	 * …). Implemented by the page's ledger. Absent: everything is refused.
	 */
	egress?: (request: WireRequest) => Promise<WireResponse>;
	/** While the user is asked whether a request may be sent, commands' time limits are paused. */
	pauses?: Pauses;
	/** Called when the sandbox is gone unexpectedly. The next call starts it again, with its files. */
	onCrash?: (reason: string) => void;
	/** Called when it runs. `snapshot`: without shared memory, programs have limitations. */
	onStart?: (memory: Memory) => void;
	/** Called for a message from the frame that the kernel does not send; it is ignored. */
	onStrangeMessage?: (data: unknown) => void;
	/** URL of the frame. Default `/runner`. */
	frameUrl?: string;
	/** Time limit for the frame's answer. Default 20 s. */
	patienceMs?: number;
	/**
	 * Interval between heartbeats. Default 1 s: a frame or kernel that has ended is noticed within 5 s, one that hangs
	 * within 30.
	 */
	beatMs?: number;
	/** Programs to use instead of those of this build, for tests. */
	sandbox?: ShippedSandbox;
}

/**
 * Creates a computer in this tab: files, shell, processes in a sandboxed frame. Needs a page with cross-origin
 * isolation. Nothing is loaded before `initialize()`, which rejects with `EUNAVAILABLE` and a message for users if it
 * cannot run.
 */
export function createWasmEnvironment(options: WasmEnvironmentOptions = {}): WasmExecutionEnvironment {
	const { sandbox = shipped, egress = refuse, frameUrl = '/runner', patienceMs = 20_000, beatMs = 1_000 } = options;
	return new WasmExecutionEnvironment({
		onCrash: options.onCrash,
		pauses: options.pauses,
		onStart: options.onStart,
		onStrangeMessage: options.onStrangeMessage,
		beatMs,
		connect: () => {
			if (typeof document === 'undefined') return Promise.reject(needs('It runs in a web page only.'));
			if (!globalThis.crossOriginIsolated) {
				return Promise.reject(
					needs(
						'This page is not cross-origin isolated. Serve it over HTTPS or localhost with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.'
					)
				);
			}
			// They are needed as soon as the kernel runs, and take longer to fetch than it does.
			for (const { hot, url } of sandbox.programs)
				if (hot === true || hot === 'at start') fetchText(url).catch(() => {});
			const programs = sandbox.programs.map(({ url: _, ...entry }) => entry);
			return connectFrame({
				url: frameUrl,
				build: runnerBuild,
				kernelText: () => fetchText(sandbox.kernelUrl),
				programs,
				patienceMs,
				beatMs,
				container: document.body
			});
		},
		answer: (question) => {
			switch (question.kind) {
				case 'program':
					return programText(sandbox, question.name);
				case 'asset':
					return assetBytes(sandbox, question.name);
				case 'fetch':
					return egress(question.request);
				case 'preview':
					return noPreview();
			}
		}
	});
}

function refuse(request: WireRequest): Promise<never> {
	const error = new Error(`the sandbox has no network: ${request.url} was not requested`);
	return Promise.reject(Object.assign(error, { code: 'ECONNREFUSED' }));
}

/** Used if no project displays what the computer serves, e.g. while a share is verified. */
function noPreview(): Promise<never> {
	return Promise.reject(Object.assign(new Error('nothing displays a preview here'), { code: 'ENOSYS' }));
}

const needs = (sentence: string) => new EnvironmentError('EUNAVAILABLE', `The sandbox cannot start. ${sentence}`);
