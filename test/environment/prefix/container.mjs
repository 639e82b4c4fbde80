// Stands in for a container: programs in it only see the directory DIRECTORY as /container.
import { spawn } from 'node:child_process';

const [directory, program, ...rest] = process.argv.slice(2);
const into = (text) => text.replaceAll('/container', directory);
const child = spawn(program, rest.map(into), { stdio: ['inherit', 'pipe', 'inherit'] });
const printed = [];
child.stdout.on('data', (data) => printed.push(data));
child.on('close', (code) => {
	process.stdout.write(Buffer.concat(printed).toString('latin1').replaceAll(directory, '/container'), 'latin1');
	process.exitCode = code ?? 1;
});
