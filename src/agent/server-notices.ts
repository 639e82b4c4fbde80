import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ToolResult } from './tool.ts';

/** Tells the model of servers that began to listen since its last tool call, and how to look at them. */
export class ServerNotices {
	#told: ReadonlySet<number> | null = null;

	constructor(private readonly environment: ExecutionEnvironment) {}

	/** Before a tool call: servers from before the first one are no news. */
	prepare(): void {
		this.#told ??= this.#ports();
	}

	/** The result with a line below it for what listens now and did not before. Who looks at the preview has seen it. */
	append(result: ToolResult, toolName: string): ToolResult {
		const now = this.#ports();
		const started = [...now].filter((port) => !this.#told?.has(port));
		this.#told = now;
		if (started.length === 0 || toolName === 'preview') return result;
		const ports = started.join(' and ');
		const how = this.environment.preview ? ' Open it with preview, action open, to see it.' : '';
		const line = `[A server listens on port ${ports} now.${how}]`;
		return { ...result, note: result.note === undefined ? line : `${result.note}\n${line}` };
	}

	#ports(): Set<number> {
		return new Set(this.environment.loopback?.ports.map(({ port }) => port));
	}
}
