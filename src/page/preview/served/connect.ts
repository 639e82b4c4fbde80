import * as z from 'zod/mini';
import type { LocalResponse } from '#environment/contract.ts';
import { parseReport, type Report } from '../reports.ts';
import { notice, type Site, type SiteRequest } from './answer.ts';
import { relaySocket } from './relay-socket.ts';

const FromHost = z.union([
	z.object({
		type: z.literal('request'),
		method: z.string(),
		target: z.string().check(z.regex(/^\//)),
		headers: z.array(z.tuple([z.string(), z.string()])),
		body: z.nullable(z.instanceof(Uint8Array)),
		isNavigation: z.boolean()
	}),
	z.object({ type: z.literal('socket'), target: z.string().check(z.regex(/^\//)), protocols: z.array(z.string()) }),
	z.object({ type: z.literal('driver'), key: z.string() }),
	z.object({ type: z.literal('taken') }),
	z.object({ type: z.literal('failed'), reason: z.string() })
]);

/** Time limits in milliseconds for loading the host document, and for its greeting. */
const LOADING_MS = 20_000;
const GREETING_MS = 3_000;

export interface ServedFrame {
	reload(): void;
	go(address: string): void;
	leave(): void;
}

export interface ServedOptions {
	/** Origin of the frame: messages from others are ignored. */
	origin: string;
	/** Label of this preview: data that a different one left in the origin's storage is removed first. */
	label: string;
	/** URL to show first. */
	address: string;
	title: string;
	site: Site;
	onReport: (report: Report) => void;
	/** Called when the displayed document, or a script in it that impersonates the driver, offers a port. */
	onDriver: (key: string, port: MessagePort) => void;
	/** Called when the preview's origin does not load, or the browser does not let it work in a frame. */
	onFailure: (reason: string) => void;
	/** Called when another tab displays this preview. */
	onTaken: () => void;
}

/** Answers requests of the preview's origin, from the greeting of its host document in `frame` until it is closed. */
export function connectServed(frame: HTMLIFrameElement, options: ServedOptions): ServedFrame {
	const { origin, label, address, title, site, onReport, onDriver, onFailure, onTaken } = options;
	const { port1, port2 } = new MessageChannel();
	// The host document greets its parent and accepts messages only from it: this is another window if the preview has
	// its own tab.
	const parent = frame.ownerDocument.defaultView ?? window;
	const ready = (event: MessageEvent<unknown>): void => {
		if (event.source !== frame.contentWindow || event.origin !== origin || event.data !== 'sandglass:preview-host')
			return;
		parent.removeEventListener('message', ready);
		clearTimeout(silence);
		frame.removeEventListener('load', loaded);
		const greeting = { label, address, title };
		if (parent === window) frame.contentWindow?.postMessage(greeting, origin, [port2]);
		else parent.postMessage({ greeting, to: origin }, location.origin, [port2]);
	};
	const isSilent = (): void => onFailure(`${origin} does not load.`);
	const loaded = (): void => {
		// An error page of the browser loads too, but sends no greeting.
		clearTimeout(silence);
		silence = setTimeout(isSilent, GREETING_MS);
	};
	let silence = setTimeout(isSilent, LOADING_MS);
	parent.addEventListener('message', ready);
	frame.addEventListener('load', loaded);
	port1.onmessage = ({ data, ports: [answers] }: MessageEvent<unknown>) => {
		const report = parseReport(data);
		if (report) return onReport(report);
		const parsed = z.safeParse(FromHost, data);
		if (!parsed.success) return;
		if (parsed.data.type === 'failed') onFailure(parsed.data.reason);
		else if (parsed.data.type === 'taken') onTaken();
		else if (!answers) return;
		else if (parsed.data.type === 'driver') onDriver(parsed.data.key, answers);
		else if (parsed.data.type === 'request') void answerOver(answers, site, parsed.data);
		else void relaySocket(answers, site, parsed.data.target, parsed.data.protocols);
	};
	return {
		reload: () => port1.postMessage({ type: 'reload' }),
		go: (to) => port1.postMessage({ type: 'go', address: to }),
		leave() {
			parent.removeEventListener('message', ready);
			frame.removeEventListener('load', loaded);
			clearTimeout(silence);
			port1.close();
		}
	};
}

/** Sends the head immediately, then a chunk for each `more`, then `null`; `cancel` ends it early. */
async function answerOver(port: MessagePort, site: Site, request: SiteRequest): Promise<void> {
	let response: LocalResponse;
	try {
		response = await site.answer(request);
	} catch (error) {
		response = notice(500, 'This could not be shown.', error instanceof Error ? error.message : String(error));
	}
	const body = response.body[Symbol.asyncIterator]();
	port.onmessage = async ({ data }: MessageEvent<unknown>) => {
		if (data === 'cancel') {
			port.close();
			await body.return?.();
			return;
		}
		try {
			const { done, value } = await body.next();
			port.postMessage(done ? null : value);
			if (done) port.close();
		} catch {
			// If the server's response broke off, so does this one.
			port.postMessage(null);
			port.close();
		}
	};
	const { status, statusText, headers } = response;
	const isSound = status >= 200 && status <= 599;
	port.postMessage({ status: isSound ? status : 502, statusText: statusText.replace(/[^\x20-\x7e]/g, ''), headers });
}
