import type { ExecutionEnvironment } from '../contract.ts';

export interface PageEnvironmentOptions {
	prefer: 'webcontainer' | 'wasm';
	makeWasm: () => ExecutionEnvironment;
	makeWebContainer: () => ExecutionEnvironment;
}

export interface PageEnvironment {
	/** Initialized. */
	environment: ExecutionEnvironment;
	/** A sentence for the user if they did not get the computer they chose. */
	notice?: string;
}

/**
 * Creates the preferred computer of a page, or the built-in one if WebContainer cannot start.
 *
 * @throws EnvironmentError `EUNAVAILABLE` if the built-in one cannot start either
 */
export async function createPageEnvironment(options: PageEnvironmentOptions): Promise<PageEnvironment> {
	let notice: string | undefined;
	if (options.prefer === 'webcontainer') {
		const environment = options.makeWebContainer();
		try {
			await environment.initialize();
			return { environment };
		} catch (error) {
			await environment.cleanup();
			const reason = error instanceof Error ? error.message : String(error);
			notice = `This project runs on the built-in computer. ${reason}`;
		}
	}
	const environment = options.makeWasm();
	await environment.initialize();
	return notice === undefined ? { environment } : { environment, notice };
}
