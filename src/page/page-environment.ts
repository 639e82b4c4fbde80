import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createPageEnvironment } from '#environment/webcontainer/choose.ts';
import { serverConfig } from './server-config.ts';
import { t } from './strings/index.ts';

/** Storage key; `webcontainer` if the user chose it, anything else means the built-in computer. */
export const ENVIRONMENT_KEY = 'sandglass:environment';

/** Returns true if the user chose WebContainer. */
export const isWebContainerChosen = (): boolean => localStorage.getItem(ENVIRONMENT_KEY) === 'webcontainer';

/**
 * Creates the computer of a project: WebContainer if its operator allows it, the user chose it and it starts,
 * the built-in one otherwise.
 *
 * @param makeWasm creates the built-in one, not yet initialised
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
