import { expect, it } from 'vitest';
import { HOST_NAME } from '#computer/abi/host-name.ts';
import { isLocal } from '#computer/abi/local-host.ts';

it.each([
	'',
	'localhost',
	'app.localhost',
	'127.0.0.1',
	'127.1.2.3',
	'0.0.0.0',
	'::1',
	'[::1]',
	HOST_NAME,
	'SandGlass'
])('takes %j for this machine', (host) => expect(isLocal(host)).toBe(true));

it.each(['example.com', 'localhost.example.com', '10.0.0.1', 'sandglass.example.com', '::2'])(
	'takes %j for another one',
	(host) => expect(isLocal(host)).toBe(false)
);
