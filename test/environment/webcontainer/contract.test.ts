import { WebContainerExecutionEnvironment } from '#environment/webcontainer/environment.ts';
import { describeEnvironment } from '#test/contract/environment.ts';
import { StandIn } from './stand-in.ts';

const made: StandIn[] = [];

describeEnvironment('WebContainerExecutionEnvironment', {
	lacks: { 'unread input': 'its processes take input without telling whether it was read' },
	async create() {
		const standIn = await StandIn.boot();
		made.push(standIn);
		const environment = new WebContainerExecutionEnvironment({ boot: async () => standIn.container });
		await environment.initialize();
		return environment;
	},
	async dispose() {
		for (const standIn of made.splice(0)) await standIn.dispose();
	}
});
