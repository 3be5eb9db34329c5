// What tsshogi and shogiops read in files of games: lines of JSON in, lines of JSON out.
// A line in: {reader, form, text}. Out: {sfen, moves, branches, back} or {wrong}.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = process.argv[2]
const from = (path) => import(pathToFileURL(join(root, 'node_modules', path)))
const tsshogi = createRequire(join(root, 'x.js'))('tsshogi')
const [kif, csa, sfen, util] = await Promise.all(
  ['notation/kif', 'notation/csa', 'sfen', 'util'].map((one) => from(`shogiops/dist/${one}.js`)),
)

function byTsshogi(form, text) {
  const read = { kif: 'importKIF', ki2: 'importKI2', csa: 'importCSA' }[form]
  const record = form === 'usi' ? tsshogi.Record.newByUSI(text.trim()) : tsshogi[read](text)
  if (record instanceof Error) throw record
  let branches = 0
  record.forEach((node) => (branches += node.branchIndex > 0 ? 1 : 0))
  const moves = record.moves.map((node) => node.move.usi).filter(Boolean)
  const back = tsshogi[form === 'csa' ? 'exportCSA' : 'exportKIF'](record, {})
  return { sfen: record.initialPosition.sfen, moves, branches, back }
}

function byShogiops(form, text) {
  const head = form === 'kif' ? kif.parseKifHeader : csa.parseCsaHeader
  const position = head(text).unwrap()
  const lines = text.split('\n').map((line) => line.trim())
  const start = sfen.makeSfen(position)
  const played =
    form === 'kif'
      ? lines.slice(0, lines.findIndex((line) => line.startsWith('変化')) + 1 || undefined)
          .filter((line) => /^\d+ .*(\(\d\d\)|打)/.test(line))
      : lines.filter((line) => /^[+-]\d{4}/.test(line))
  const found = []
  for (const line of played) {
    const word = line.split(/\s+/).slice(1).join(' ').replace(/\s*\([\s\d]*:.*/, '')
    const move =
      form === 'kif'
        ? kif.parseKifMoveOrDrop(word, position.lastMoveOrDrop?.to)
        : csa.parseCsaMoveOrDrop(position, line)
    if (!move || !position.isLegal(move)) throw new Error(`no move: ${line}`)
    found.push(util.makeUsi(move))
    position.play(move)
  }
  return { sfen: start, moves: found }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { reader, form, text } = JSON.parse(line)
  let told
  try {
    told = reader === 'tsshogi' ? byTsshogi(form, text) : byShogiops(form, text)
  } catch (wrong) {
    told = { wrong: String(wrong) }
  }
  console.log(JSON.stringify(told))
}
