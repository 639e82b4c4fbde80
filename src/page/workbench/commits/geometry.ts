/** Pixels between two lanes of the graph. */
const STEP = 13;
/** Lanes beyond these share the last one: the subjects need the room. */
const MOST = 8;
const MARGIN = 9;
const COLOURS = ['--accent', '--branch', '--good', '--syntax-number'] as const;

/** Distance of a lane's line from the left. Pixels. */
export const laneAt = (lane: number): number => Math.min(lane, MOST - 1) * STEP + MARGIN;

/** Width of a graph. Pixels. */
export const graphWidth = (lanes: number): number => laneAt(Math.max(1, lanes) - 1) + MARGIN;

/** Colour of a lane, as a value of CSS. */
export const laneColour = (lane: number): string => `var(${COLOURS[lane % COLOURS.length]})`;
