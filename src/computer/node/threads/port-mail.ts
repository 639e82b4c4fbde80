import { Deserializer } from '../modules/v8/deserializer.ts';
import { Serializer } from '../modules/v8/serializer.ts';
import { nodeError, unsupported } from '../runtime/errors.ts';
import { canShareMailboxes, createMailboxMemory, ELSEWHERE, Mailbox } from './mailbox.ts';

/**
 * Mail of ports that connect to another thread. A port gets two mailboxes when it is transferred to a thread, one for
 * each direction; from then on both ends write to them, and also send {@link MAIL} over the browser's port, for
 * listeners. `receiveMessageOnPort()` only reads the mailbox, without an event loop.
 */

/** Memory of a port's mailboxes, as the receiver of the port sees them. */
export interface PortMemory {
	incoming: SharedArrayBuffer;
	outgoing: SharedArrayBuffer;
}

/** Memory of the ports in a message. */
export type MailOfPorts = Map<MessagePort, PortMemory>;

interface PortMail {
	incoming: Mailbox;
	outgoing: Mailbox;
}

type Post = (value: unknown, transfer: Transferable[]) => void;

/** Message sent over the port to announce one in the mailbox. */
const MAIL = '\0sandglass:port-mail';
/** Key of the memory in a message that transfers ports. */
const ENVELOPE = '\0sandglass:mail-of-ports';
/** Types of objects that the serializer clones like a browser's port. */
const COPIED =
	/^\[object (Object|Array|Date|Map|Set|RegExp|Error|Boolean|Number|String|ArrayBuffer|DataView|(Big)?(Int|Uint|Float)\d+(Clamped)?Array)\]$/;

const peers = new WeakMap<MessagePort, MessagePort>();
const mail = new WeakMap<MessagePort, PortMail>();

/** Replaces the browser's channel for programs: its ports know each other. */
export function pairedChannel(Native: typeof MessageChannel): typeof MessageChannel {
	return class MessageChannel extends Native {
		constructor() {
			super();
			peers.set(this.port1, this.port2);
			peers.set(this.port2, this.port1);
		}
	};
}

/** Memory of the ports of a channel in `transfer`, created for those that have none. */
export function mailFor(transfer: readonly unknown[]): MailOfPorts {
	const found: MailOfPorts = new Map();
	if (!canShareMailboxes()) return found;
	for (const port of transfer) {
		if (!(port instanceof MessagePort)) continue;
		const own = mail.get(port) ?? newMail(port);
		if (own) found.set(port, { incoming: own.incoming.memory, outgoing: own.outgoing.memory });
	}
	return found;
}

function newMail(port: MessagePort): PortMail | null {
	const peer = peers.get(port);
	if (!peer) return null;
	const own = { incoming: new Mailbox(createMailboxMemory()), outgoing: new Mailbox(createMailboxMemory()) };
	mail.set(peer, { incoming: own.outgoing, outgoing: own.incoming });
	return own;
}

/** Stores the memory of ports that arrived. */
export function takeMail(ports: MailOfPorts): void {
	for (const [port, { incoming, outgoing }] of ports)
		mail.set(port, { incoming: new Mailbox(incoming), outgoing: new Mailbox(outgoing) });
}

/** Posts a message over the port, or into its mailbox. @throws DOMException for a value that cannot be cloned */
export function postMail(port: MessagePort, value: unknown, transfer: Transferable[], post: Post): void {
	const memory = mailFor(transfer);
	const sent = memory.size > 0 ? { [ENVELOPE]: memory, value } : value;
	const outgoing = mail.get(port)?.outgoing;
	if (!outgoing) return post(sent, transfer);
	if (transfer.length === 0 && isCopied(value) && outgoing.add(serialized(value))) return post(MAIL, []);
	outgoing.addElsewhere();
	try {
		post(sent, transfer);
	} catch (error) {
		outgoing.retractElsewhere();
		throw error;
	}
}

/**
 * Sets the data of an arriving message event to the value that was sent.
 *
 * @returns false if the message has already been received
 */
export function openMail(port: MessagePort, event: MessageEvent): boolean {
	const incoming = mail.get(port)?.incoming;
	let { data } = event;
	if (incoming && data === MAIL) {
		const taken = incoming.take();
		if (!(taken instanceof Uint8Array)) return false;
		data = deserialized(taken);
	} else {
		incoming?.passElsewhere();
		if (!isEnvelope(data)) return true;
		takeMail(data[ENVELOPE]);
		data = data.value;
	}
	Object.defineProperty(event, 'data', { value: data, configurable: true });
	return true;
}

/** `worker_threads.receiveMessageOnPort`. */
export function receiveMessageOnPort(port: unknown): { message: unknown } | undefined {
	if (!(port instanceof MessagePort))
		throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
	const incoming = mail.get(port)?.incoming;
	if (!incoming)
		throw unsupported(
			'worker_threads.receiveMessageOnPort() for this port',
			'It is there for ports of a MessageChannel of which the other one was transferred to a thread; listen with port.on() to others.'
		);
	const taken = incoming.take();
	if (taken === ELSEWHERE)
		throw unsupported(
			'worker_threads.receiveMessageOnPort() of a message that transfers or shares memory or ports',
			'Listen for it with port.on().'
		);
	return taken === null ? undefined : { message: deserialized(taken) };
}

function serialized(value: unknown): Uint8Array {
	const serializer = new Serializer();
	serializer.writeHeader();
	serializer.writeValue(value);
	return serializer.releaseBuffer();
}

function deserialized(bytes: Uint8Array): unknown {
	const deserializer = new Deserializer(bytes);
	deserializer.readHeader();
	return deserializer.readValue();
}

function isEnvelope(data: unknown): data is { [ENVELOPE]: MailOfPorts; value: unknown } {
	return typeof data === 'object' && data !== null && ENVELOPE in data && data[ENVELOPE] instanceof Map;
}

/** Returns whether all parts of a value can be written to a mailbox. */
function isCopied(value: unknown): boolean {
	const seen = new Set<object>();
	const visit = (part: unknown): boolean => {
		if (typeof part === 'function' || typeof part === 'symbol') return false;
		if (typeof part !== 'object' || part === null || seen.has(part)) return true;
		if (!COPIED.test(Object.prototype.toString.call(part))) return false;
		seen.add(part);
		if (ArrayBuffer.isView(part)) return part.buffer instanceof ArrayBuffer;
		if (part instanceof Map) return [...part].every(([key, entry]) => visit(key) && visit(entry));
		if (part instanceof Set) return [...part].every(visit);
		if (part instanceof Error) return visit(part.cause);
		return part instanceof ArrayBuffer || Object.values(part).every(visit);
	};
	return visit(value);
}
