import { compareEveryday } from '#test/computer/shell/everyday.ts';

compareEveryday(1);
