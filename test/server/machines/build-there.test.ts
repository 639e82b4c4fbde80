import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LinkAcceptor } from '#environment/remote/accept.ts';
import { channelPair } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { EnvironmentHost } from '#environment/remote/host.ts';
import { LeftAlone } from '#page/machines/left-alone.ts';
import { MirroredEnvironment } from '#page/machines/mirrored-environment.ts';
import { pushFiles } from '#page/machines/push-files.ts';
import type { MachineProvider } from '#server/machines/contract.ts';
import { dockerProvider } from '#server/machines/docker.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { addPackages, missingPackages } from './debian-root.ts';
import { IMAGE, startDaemon, type Daemon } from './docker-daemon.ts';

const PACKAGES = ['gcc', 'libc6-dev'];
const MB = 2 ** 20;
const LIMITS = { cpus: 2, memoryBytes: 1_024 * MB, pids: 128, diskBytes: 128 * MB, lifetimeS: 600 };

const FILES: Record<string, string> = {
	'src/primes.h': 'int count_primes(int limit);\n',
	'src/primes.c': `#include "primes.h"
int count_primes(int limit) {
	int count = 0;
	for (int n = 2; n < limit; n++) {
		int d = 2;
		while (d * d <= n && n % d) d++;
		if (d * d > n) count++;
	}
	return count;
}
`,
	'src/main.c': `#include <math.h>
#include <stdio.h>
#include "primes.h"
int main(void) {
	FILE *report = fopen("report.txt", "w");
	fprintf(report, "%d %.3f\\n", count_primes(10000), sqrt(2));
	fclose(report);
	puts("built and run");
	return 0;
}
`,
	'build.sh': `set -e
mkdir -p build
for file in src/*.c; do gcc -O2 -Wall -Werror -c "$file" -o "build/$(basename "$file" .c).o"; done
gcc build/*.o -lm -o build/primes
./build/primes
`
};

const missing = await missingPackages(...PACKAGES);
const started =
	missing === undefined ? await startDaemon((root) => addPackages(root, ...PACKAGES)) : { reason: missing };
const reason = 'reason' in started ? started.reason : undefined;

describe.skipIf(reason !== undefined)(
	`a project that the tab has no compiler for${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	() => {
		const daemon = started as Daemon;
		let provider: MachineProvider;
		let acceptor: LinkAcceptor;
		let id: string;

		beforeAll(async () => {
			provider = dockerProvider({ ...LIMITS, engine: daemon.socket, image: IMAGE, owner: 'build' });
			({ id } = await provider.create());
			acceptor = new LinkAcceptor({ open: async (_id, link) => new EnvironmentHost(await provider.attach(id), link) });
		}, 120_000);

		afterAll(async () => {
			await acceptor?.close();
			await provider?.destroy(id);
			await daemon.stop();
			await removeTemporary();
		}, 120_000);

		it('is built there after the move, and its output and files come back', async () => {
			const home = await createTemporary();
			for (const [file, content] of Object.entries(FILES)) await home.writeFile(file, content);
			const there = new RemoteExecutionEnvironment({
				connect: async () => {
					const [near, far] = channelPair();
					acceptor.accept(far);
					return near;
				}
			});
			await there.initialize();
			const sides = { home, there, leftAlone: new LeftAlone(home, there) };
			expect(await pushFiles(sides)).toBe(Object.keys(FILES).length);
			const failures: unknown[] = [];
			const mirrored = new MirroredEnvironment({
				...sides,
				flush: async () => undefined,
				onFailure: (error) => failures.push(error)
			});
			expect(await mirrored.exec('sh build.sh')).toMatchObject({ stdout: 'built and run\n', stderr: '', exitCode: 0 });
			expect(await mirrored.exec('echo "int main(void) { return x; }" > bad.c; gcc bad.c')).toMatchObject({
				exitCode: 1
			});
			await mirrored.pull();
			await mirrored.leave();
			expect(failures).toEqual([]);
			// The tab has the files now; the machine can go.
			expect(await home.readFile('report.txt')).toBe('1229 1.414\n');
			expect(await home.readFile('bad.c')).toBe('int main(void) { return x; }\n');
			const program = await readFile(join(home.workingDirectory(), 'build/primes'));
			expect(program.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
			expect((await home.stat('build/primes')).mode & 0o111).not.toBe(0);
			await home.cleanup();
		}, 120_000);
	}
);
