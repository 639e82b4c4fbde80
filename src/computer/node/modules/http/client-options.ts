import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { boolean, integer, optional } from '../../runtime/validate.ts';
import { urlToHttpOptions } from '../url.ts';
import type { Agent, ConnectionOptions } from './agent.ts';
import type { IncomingMessage } from './incoming.ts';

export interface RequestOptions extends ConnectionOptions {
	/** The program's own resolver of host names. */
	lookup?: unknown;
	protocol?: string | null;
	hostname?: string;
	defaultPort?: number;
	method?: string | null;
	headers?: unknown;
	auth?: string;
	signal?: AbortSignal;
	agent?: Agent | false | null;
	setHost?: boolean;
	insecureHTTPParser?: boolean;
	joinDuplicateHeaders?: boolean;
	maxHeaderSize?: number;
	_defaultAgent?: Agent;
}

type ResponseListener = (response: IncomingMessage) => void;

const MAX_TIMER_MS = 2 ** 31 - 1;

/** `request(url?, options?, listener?)`. @throws ERR_INVALID_URL, ERR_INVALID_ARG_TYPE */
export function requestArguments(args: readonly unknown[]): { options: RequestOptions; listener?: ResponseListener } {
	const rest = [...args];
	const first = typeof rest[0] === 'string' || rest[0] instanceof URL ? rest.shift() : undefined;
	const own = first === undefined ? {} : urlToHttpOptions(first instanceof URL ? first : new URL(first as string));
	const given = typeof rest[0] === 'object' || rest[0] === undefined ? rest.shift() : undefined;
	const listener = rest.find((arg): arg is ResponseListener => typeof arg === 'function');
	// Options may be inherited.
	const options = first === undefined ? { ...inherited(given) } : { ...own, ...(given as object) };
	return { options, listener };
}

function inherited(given: unknown): object {
	if (given === null || typeof given !== 'object') return {};
	const all: Record<string, unknown> = {};
	for (const name in given) all[name] = Reflect.get(given, name);
	return all;
}

/** @throws ERR_INVALID_ARG_TYPE */
function hostOption(value: unknown, name: string): string | undefined {
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw invalidArgument(`options.${name}`, 'of type string or one of undefined or null', value);
	}
	return value ?? undefined;
}

/** Duration of a timer. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function timerDuration(value: unknown, name: string): number {
	if (typeof value !== 'number') throw invalidArgument(name, 'of type number', value);
	if (!(value >= 0 && Number.isFinite(value))) {
		throw nodeError(
			RangeError,
			'ERR_OUT_OF_RANGE',
			`The value of "${name}" is out of range. It must be a non-negative finite number. Received ${value}`
		);
	}
	return Math.min(value, MAX_TIMER_MS);
}

/** Destination and agent of a request, validated. */
export function requestTarget(options: RequestOptions, standard: Agent): RequestOptions & { agent: Agent | null } {
	const agent = agentOf(options, standard);
	const protocol = options.protocol || standard.protocol;
	const expected = agent?.protocol || standard.protocol;
	const path = options.path ? String(options.path) : '/';
	if (/[^\u0021-\u00ff]/.test(path)) {
		throw nodeError(TypeError, 'ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');
	}
	if (protocol !== expected) {
		throw nodeError(TypeError, 'ERR_INVALID_PROTOCOL', `Protocol "${protocol}" not supported. Expected "${expected}"`);
	}
	const defaultPort = options.defaultPort || agent?.defaultPort;
	const hostname = hostOption(options.hostname, 'hostname');
	const host = hostname || hostOption(options.host, 'host') || 'localhost';
	optional(integer(0))(options.maxHeaderSize, 'maxHeaderSize');
	optional(boolean)(options.insecureHTTPParser, 'options.insecureHTTPParser');
	optional(boolean)(options.joinDuplicateHeaders, 'options.joinDuplicateHeaders');
	return { ...options, agent, protocol, path, host, port: options.port || defaultPort || 80, defaultPort };
}

function agentOf(options: RequestOptions, standard: Agent): Agent | null {
	const { agent } = options;
	if (agent === false) return new (standard.constructor as new () => Agent)();
	if (agent === undefined || agent === null) return options.createConnection ? null : standard;
	if (typeof agent.addRequest !== 'function') {
		throw invalidArgument('options.agent', 'one of Agent-like Object, undefined, or false', agent);
	}
	return agent;
}
