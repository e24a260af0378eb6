/** The 32 punctuation characters of ASCII. */
export const ASCII_PUNCTUATION = /[!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]/g

/** Contractions that people write without their apostrophe; keys in capitals never match a lower-cased word. */
export const CONTRACTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  `aint:ain't arent:aren't cant:can't couldve:could've couldnt:couldn't didnt:didn't doesnt:doesn't dont:don't
hadnt:hadn't hasnt:hasn't havent:haven't hed:he'd hes:he's howd:how'd howll:how'll hows:how's im:i'm ive:i've
isnt:isn't itd:it'd itll:it'll maam:ma'am mightnt:mightn't mightve:might've mustnt:mustn't mustve:must've
neednt:needn't oclock:o'clock oughtnt:oughtn't shant:shan't shes:she's shouldve:should've shouldnt:shouldn't
somebodyd:somebody'd someones:someone's thats:that's thered:there'd therere:there're theres:there's
theyd:they'd theyll:they'll theyre:they're theyve:they've wasnt:wasn't weve:we've werent:weren't
whatll:what'll whatre:what're whats:what's whatve:what've whens:when's whered:where'd wheres:where's
whod:who'd wholl:who'll whos:who's whove:who've whyll:why'll whyre:why're whys:why's wont:won't
wouldve:would've wouldnt:wouldn't yall:y'all youd:you'd youll:you'll youre:you're youve:you've`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
)

/** Number words that both visual question scorers read. */
export const SMALL_NUMBERS: Readonly<Record<string, string>> = {
  ...{ none: '0', zero: '0', one: '1', two: '2', three: '3', four: '4', five: '5' },
  ...{ six: '6', seven: '7', eight: '8', nine: '9', ten: '10' },
}
