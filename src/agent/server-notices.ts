import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ToolResult } from './tool.ts';

/** Displays servers that started to listen since the last tool call, and notifies the model of them. */
export class ServerNotices {
	#reported: ReadonlySet<number> | null = null;

	constructor(private readonly environment: ExecutionEnvironment) {}

	/** Records the servers that were running before the first tool call. */
	prepare(): void {
		this.#reported ??= this.#ports();
	}

	/** Appends a line for each server that started to listen. The preview tool needs no notice. */
	async append(result: ToolResult, toolName: string): Promise<ToolResult> {
		const now = this.#ports();
		const started = [...now].filter((port) => !this.#reported?.has(port));
		this.#reported = now;
		if (started.length === 0 || toolName === 'preview') return result;
		const ports = started.join(' and ');
		const { preview } = this.environment;
		const [first] = started;
		const shown = first !== undefined && (await preview?.offer?.(first)) === true;
		const how = preview ? ' Open it with preview, action open, to see it.' : '';
		const line = shown
			? `[Serves port ${ports}, ${started.length > 1 ? `${first} is ` : ''}shown in Preview.${how}]`
			: `[A server listens on port ${ports} now.${how}]`;
		return { ...result, note: result.note === undefined ? line : `${result.note}\n${line}` };
	}

	#ports(): Set<number> {
		return new Set(this.environment.loopback?.ports.map(({ port }) => port));
	}
}
