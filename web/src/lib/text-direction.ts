/** Embeddings, overrides, and isolates, with which text would rearrange what follows it. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]+/g

/** For text outside the page, such as in a notification, where no element isolates it. */
export const stripDirectionControls = (text: string): string => text.replace(DIRECTION_CONTROLS, '')
