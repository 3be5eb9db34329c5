// What TPS-Ninja makes of games of Tak: lines of JSON in, lines of JSON out.
// A line in: {options, plies}. Out: {boards, result}, the board after each ply, or {wrong}.
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const file = join(process.argv[2], 'node_modules/tps-ninja/src/Board.js')
const { Board } = await import(pathToFileURL(file))

for await (const line of createInterface({ input: process.stdin })) {
  const { options, plies } = JSON.parse(line)
  const boards = []
  let told
  try {
    const board = new Board(options)
    if (board.errors.length) throw new Error(board.errors)
    for (const ply of plies) {
      board.doPly(ply)
      boards.push(board.getTPS())
    }
    told = { boards, result: board.result }
  } catch (wrong) {
    told = { boards, wrong: String(wrong) }
  }
  console.log(JSON.stringify(told))
}
