import type { Strings } from '../en/index.ts';
import { code } from './code.ts';
import { commits } from './commits.ts';
import { composer } from './composer.ts';
import { conversation } from './conversation.ts';
import { damage } from './damage.ts';
import { explained, providerErrors } from './errors.ts';
import { folder } from './folder.ts';
import { fork } from './fork.ts';
import { front } from './front.ts';
import { machines } from './machines.ts';
import { models } from './models.ts';
import { network } from './network.ts';
import { offline } from './offline.ts';
import { outcomes } from './outcomes.ts';
import { palette } from './palette.ts';
import { preview } from './preview.ts';
import { publish } from './publish.ts';
import { review } from './review.ts';
import { settings } from './settings.ts';
import { sharing } from './share.ts';
import { site } from './site.ts';
import { workbench } from './workbench.ts';

/** All strings of the page in Simplified Chinese. */
export const zh: Strings = {
	product: 'Sandglass',
	...front,
	...conversation,
	...workbench,
	...sharing,
	code,
	commits,
	composer,
	damage,
	explained,
	folder,
	fork,
	machines,
	models,
	network,
	offline,
	outcomes,
	palette,
	preview,
	providerErrors,
	publish,
	review,
	settings,
	site
};
