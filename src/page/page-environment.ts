import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createPageEnvironment } from '#environment/webcontainer/choose.ts';
import { serverConfig } from './server-config.ts';
import { t } from './strings/index.ts';

/** Storage key; `webcontainer` if the user chose it, any other value means the built-in computer. */
export const ENVIRONMENT_KEY = 'sandglass:environment';

/** Returns true if the user chose WebContainer. */
export const isWebContainerChosen = (): boolean => localStorage.getItem(ENVIRONMENT_KEY) === 'webcontainer';

/**
 * Creates the computer of a project: WebContainer if the operator allows it, the user chose it and it starts, otherwise
 * the built-in one.
 *
 * @param makeWasm creates the built-in one, not yet initialized
 * @param onNotice called with a sentence for the user
 */
export async function openPageEnvironment(
	makeWasm: () => ExecutionEnvironment,
	onNotice: (notice: string) => void = () => {}
): Promise<ExecutionEnvironment> {
	if (!isWebContainerChosen() || !(await serverConfig())?.webcontainer) {
		const environment = makeWasm();
		await environment.initialize();
		return environment;
	}
	const { WebContainerExecutionEnvironment } = await import('#environment/webcontainer/environment.ts');
	const { environment, notice } = await createPageEnvironment({
		prefer: 'webcontainer',
		makeWasm,
		makeWebContainer: () => new WebContainerExecutionEnvironment()
	});
	onNotice(notice ?? t.engine.unlisted);
	return environment;
}
