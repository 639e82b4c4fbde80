import shellUrl from '#computer/shell/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

type Egress = Parameters<typeof sandboxInPage>[3];

/** A sandbox in the test's own page with bash and Node. Without `egress` there is no network. */
export function nodeInPage(egress?: Egress): Promise<WasmExecutionEnvironment> {
	const programs = [
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl }
	];
	return sandboxInPage(programs, {}, 'shared', egress);
}
