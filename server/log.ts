import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import type { LogFields, ServerEnvironment } from './context.ts';

/** One line of the log: an object of plain values. */
export type Log = (line: Readonly<Record<string, string | number | undefined>>) => void;

/** Writes one JSON object per line. */
export const logToStdout: Log = (line) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const API_ROUTES: readonly string[] = [
	'llm',
	'git',
	'archive',
	'npm',
	'fetch',
	'egress',
	'github',
	'machines',
	'shares',
	'health',
	'config'
];

/** Route pattern of a request. Never the path itself, which can contain ids, names and secrets. */
export function routeName(path: string): string {
	const [, first, second] = path.split('/');
	if (first !== 'api')
		return first === 'runner' || first === 'preview-frame' || first === 'metrics' ? `/${first}` : '/*';
	return second !== undefined && API_ROUTES.includes(second) ? `/api/${second}` : '/api/*';
}

/** Summary of a finished request, for the log and the metrics. */
export interface FinishedRequest extends LogFields {
	id: string;
	method: string;
	route: string;
	status: number;
	/** `cut`: one of the two sides disconnected before the response was complete. */
	end: 'whole' | 'cut';
	ms: number;
}

/** Gives each request an id and calls `finished` once its response is complete or cut. */
export const observe = (finished: (request: FinishedRequest) => void) =>
	createMiddleware<ServerEnvironment>(async (c, next) => {
		const start = performance.now();
		const id = randomUUID();
		c.set('requestId', id);
		c.set('log', {});
		const { outgoing } = c.env;
		outgoing.once('close', () => {
			finished({
				id,
				method: c.req.method,
				route: routeName(c.req.path),
				status: outgoing.statusCode,
				end: outgoing.writableFinished ? 'whole' : 'cut',
				ms: Math.round(performance.now() - start),
				...c.get('log')
			});
		});
		await next();
	});
