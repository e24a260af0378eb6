export const hintNested = 'One call per line; name the intermediate result.'
export const hintIndex = 'Use SELECT or a for block.'
export const hintQuote = "Write \\' for an apostrophe, or put the whole text in double quotes."
