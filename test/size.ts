import { BUDGET } from './guard.data.ts'
import { readHouse, roomOf } from './house.ts'

// Prints the size of the house: `npm run size`.
const house = readHouse()
const middle = (numbers: number[], share: number): number =>
  numbers.sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ??
  0

const rooms = Map.groupBy(house, (file) => roomOf(file.path) ?? '-')
const row = (cells: (string | number)[]): void =>
  console.log(cells.map((c) => String(c).padEnd(13)).join(''))
row(['room', 'files', 'lines', 'median', 'longest', 'fn median', 'fn p90'])
for (const [room, files] of [...rooms, ['all', house] as const]) {
  const functions = files.flatMap((file) => file.functions.map((one) => one.lines))
  const lines = files.map((file) => file.lines)
  row([
    ...[
      room,
      files.length,
      lines.reduce((a, b) => a + b, 0),
      middle(lines, 0.5),
      Math.max(...lines),
    ],
    ...[middle(functions, 0.5), middle(functions, 0.9)],
  ])
}
for (const file of house) {
  if (file.lines > BUDGET.fileWarn) console.log(`warning: ${file.path} has ${file.lines} lines`)
}
