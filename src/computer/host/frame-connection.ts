import * as z from 'zod/mini';
import { EnvironmentError } from '#environment/errors.ts';
import { volumeBytes } from '#computer/abi/limits.ts';
import { CONNECT, type FromFrame, type ToFrame } from '#computer/frame/messages.ts';
import type { Memory, ProgramEntry } from '#computer/abi/protocol.ts';
import type { Connection } from './connection.ts';

/**
 * Number of unanswered heartbeats tolerated on a busy machine; the frame's process can crash without an event.
 */
const MISSED_BEATS = 4;
/** Low, since it means that the kernel's witness is silent while another worker answers. */
const WITNESS_BEATS = 3;

/**
 * In the viewport but invisible: a browser gives the process of a frame without layout low priority, on some machines
 * only the slow cores.
 */
const UNSEEN: Partial<CSSStyleDeclaration> = {
	position: 'fixed',
	inset: 'auto 0 0 auto',
	width: '1px',
	height: '1px',
	border: '0',
	opacity: '0',
	pointerEvents: 'none'
};

const message = z.discriminatedUnion('type', [
	z.object({ type: z.literal('hello'), build: z.string() }),
	z.object({ type: z.literal('started'), scheme: z.enum(['blob', 'data']), memory: z.enum(['shared', 'snapshot']) }),
	z.object({ type: z.literal('refused'), lacks: z.literal('workers'), detail: z.string() }),
	z.object({ type: z.literal('lost'), reason: z.string() }),
	z.object({ type: z.literal('pong'), silent: z.int() })
]);

export interface FrameOptions {
	/** URL of the frame without its query: `/runner`. */
	url: string;
	/** Build of this page; a frame of another build is reloaded. */
	build: string;
	kernelText: () => Promise<string>;
	programs: ProgramEntry[];
	/** Time limit for the frame's answer. */
	patienceMs: number;
	/** Interval between heartbeats; after five without an answer the frame counts as gone. */
	beatMs: number;
	/** Parent element of the frame, which is invisible. */
	container: HTMLElement;
}

/**
 * Opens the sandbox's frame and starts the kernel in it. Rejects with `EUNAVAILABLE` and a message saying what to do.
 */
export async function connectFrame(options: FrameOptions): Promise<Connection> {
	const fetching = options.kernelText();
	// It is awaited below; the frame may fail first.
	fetching.catch(() => {});
	let opened = await openFrame(options, `${options.url}?v=${options.build}`);
	if (opened.build !== options.build) {
		// The frame of an older build came from a cache; a new URL bypasses it.
		opened.frame.remove();
		opened = await openFrame(options, `${options.url}?v=${options.build}-${Date.now()}`);
	}
	const { frame, control } = opened;
	if (opened.build !== options.build) {
		frame.remove();
		throw unavailable('The server has a newer version of the sandbox than this page. Reload the page.');
	}
	const kernel = await fetching.catch((error: unknown) => {
		frame.remove();
		throw error;
	});
	const { port1, port2 } = new MessageChannel();
	let lose: (reason: string) => void = () => {};
	const gone = new Promise<string>((resolve) => (lose = resolve));
	const heart = watchHeart(opened, options.beatMs, (reason) => lose(reason));
	const dispose = (): void => {
		heart.stop();
		control.close();
		port1.close();
		frame.remove();
	};
	let memory: Memory;
	try {
		memory = await within(
			options.patienceMs,
			new Promise<Memory>((resolve, reject) => {
				control.onmessage = ({ data }: MessageEvent<unknown>) => {
					const parsed = parse(data);
					if (parsed?.type === 'pong') heart.beat(parsed.silent);
					else if (parsed?.type === 'started') resolve(parsed.memory);
					else if (parsed?.type === 'lost') lose(parsed.reason);
					else if (parsed?.type === 'refused') reject(refused(parsed.detail));
				};
				const start: ToFrame = {
					type: 'start',
					kernel,
					programs: options.programs,
					// Browsers tell the page, not the workers of a frame without an origin.
					volumeBytes: volumeBytes((navigator as { deviceMemory?: number }).deviceMemory),
					port: port2
				};
				control.postMessage(start, [port2]);
			})
		);
	} catch (error) {
		dispose();
		throw error;
	}
	return { port: port1, memory, gone, dispose };
}

interface OpenedFrame {
	frame: HTMLIFrameElement;
	control: MessagePort;
	build: string;
}

async function openFrame({ container, patienceMs }: FrameOptions, url: string): Promise<OpenedFrame> {
	const frame = document.createElement('iframe');
	Object.assign(frame.style, UNSEEN);
	frame.inert = true;
	frame.title = 'Sandbox';
	frame.setAttribute('sandbox', 'allow-scripts');
	frame.allow = 'cross-origin-isolated';
	frame.src = url;
	const { port1, port2 } = new MessageChannel();
	try {
		const build = await within(
			patienceMs,
			new Promise<string>((resolve) => {
				port1.onmessage = ({ data }: MessageEvent<unknown>) => {
					const parsed = parse(data);
					if (parsed?.type === 'hello') resolve(parsed.build);
				};
				frame.addEventListener('load', () => frame.contentWindow?.postMessage(CONNECT, '*', [port2]), { once: true });
				container.append(frame);
			})
		);
		return { frame, control: port1, build };
	} catch (error) {
		frame.remove();
		throw error;
	}
}

interface Heart {
	/** The frame has answered; the kernel's witness did not answer `silent` times. */
	beat(silent: number): void;
	stop(): void;
}

/** Reports the loss of the frame: immediately if it is certain, otherwise after several unanswered heartbeats. */
function watchHeart({ frame, control }: OpenedFrame, beatMs: number, gone: (reason: string) => void): Heart {
	let missed = 0;
	const end = (reason: string): void => {
		stop();
		gone(reason);
	};
	const left = (): void => end('its frame was taken away');
	const timer = setInterval(() => {
		if (!frame.isConnected) return left();
		if (++missed > MISSED_BEATS)
			return end('its frame does not answer any more; a program may have used up its memory');
		const ping: ToFrame = { type: 'ping' };
		control.postMessage(ping);
	}, beatMs);
	const stop = (): void => {
		clearInterval(timer);
		frame.removeEventListener('load', left);
	};
	// The frame has loaded before: another load replaces the document, and the kernel ended with the first one.
	frame.addEventListener('load', left);
	const beat = (silent: number): void => {
		missed = 0;
		if (silent > WITNESS_BEATS) end('its kernel has ended');
	};
	return { beat, stop };
}

/** Parses a message of the frame; `null` if it is invalid. */
function parse(data: unknown): FromFrame | null {
	const parsed = message.safeParse(data);
	return parsed.success ? parsed.data : null;
}

async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		const error = unavailable(
			'The sandbox frame did not answer. Check the connection to the server and reload the page.'
		);
		timer = setTimeout(() => reject(error), ms);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function refused(detail: string): EnvironmentError {
	return unavailable(
		'This browser does not start workers inside a sandboxed frame. Use a current Chrome, Edge, Firefox or Safari, ' +
			`without extensions that block scripts (${detail}).`
	);
}

const unavailable = (sentence: string) => new EnvironmentError('EUNAVAILABLE', sentence);
