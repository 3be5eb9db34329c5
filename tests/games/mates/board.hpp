// Shogi as far as mates by checks need it: eighty-one squares, looked at one by one. It shares no
// line with the project's rules.
#pragma once

#include <array>
#include <initializer_list>
#include <vector>

namespace mates {

enum Kind { NONE, PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING };
constexpr int PROMOTED = 8;  // a promoted piece's kind is that much more; a promoted bishop is 14
constexpr int KINDS = 16;

// Ways are (row, column); the attacker moves up, the defender's ways are turned.
struct Way {
  int row, column;
};
constexpr std::array<Way, 8> AROUND = {
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

inline int bits(std::initializer_list<int> ways) {
  int mask = 0;
  for (int way : ways) mask |= 1 << way;
  return mask;
}

inline bool steps(int kind, int way) {
  static const std::array<int, KINDS> masks = [] {
    std::array<int, KINDS> found{};
    const int gold = bits({0, 1, 2, 3, 4, 6});
    found[PAWN] = bits({1});
    found[SILVER] = bits({0, 1, 2, 5, 7});
    found[GOLD] = gold;
    for (int kind : {PAWN, LANCE, KNIGHT, SILVER}) found[kind + PROMOTED] = gold;
    found[BISHOP + PROMOTED] = bits({1, 3, 4, 6});
    found[ROOK + PROMOTED] = bits({0, 2, 5, 7});
    found[KING] = 255;
    return found;
  }();
  return masks[kind] >> way & 1;
}

inline bool slides(int kind, int way) {
  static const std::array<int, KINDS> masks = [] {
    std::array<int, KINDS> found{};
    found[LANCE] = bits({1});
    found[BISHOP] = found[BISHOP + PROMOTED] = bits({0, 2, 5, 7});
    found[ROOK] = found[ROOK + PROMOTED] = bits({1, 3, 4, 6});
    return found;
  }();
  return masks[kind] >> way & 1;
}

inline bool has_future(int kind, int side, int square) {
  const int ahead = side > 0 ? square / 9 : 8 - square / 9;
  if (kind == PAWN || kind == LANCE) return ahead >= 1;
  if (kind == KNIGHT) return ahead >= 2;
  return true;
}

inline bool in_zone(int side, int square) { return (side > 0 ? square / 9 : 8 - square / 9) < 3; }

// The attacker's pieces are positive, the defender's negative; hands: attacker's, defender's.
struct Position {
  std::array<signed char, 81> squares{};
  std::array<std::array<signed char, 8>, 2> hands{};

  signed char& hand(int side, int kind) { return hands[side < 0][kind]; }
  int hand(int side, int kind) const { return hands[side < 0][kind]; }

  int king(int side) const {
    for (int square = 0; square < 81; ++square)
      if (squares[square] == side * KING) return square;
    return -1;
  }

  // The squares from which *by* attacks *target*.
  int attackers(int target, int by, std::array<int, 20>& from) const {
    int count = 0;
    for (int way = 0; way < 8; ++way) {
      // Seen from the target the piece stands against the way that it moves.
      const int row = AROUND[way].row * -by, column = AROUND[way].column * -by;
      int r = target / 9 + row, c = target % 9 + column;
      for (bool near = true; r >= 0 && r < 9 && c >= 0 && c < 9; r += row, c += column) {
        const int piece = squares[r * 9 + c] * by;
        if (piece > 0 && (slides(piece, way) || (near && steps(piece, way))))
          from[count++] = r * 9 + c;
        if (piece) break;
        near = false;
      }
    }
    const int row = target / 9 + 2 * by;
    if (row >= 0 && row < 9)
      for (int column : {target % 9 - 1, target % 9 + 1})
        if (column >= 0 && column < 9 && squares[row * 9 + column] * by == KNIGHT)
          from[count++] = row * 9 + column;
    return count;
  }

  bool attacked(int target, int by) const {
    std::array<int, 20> from;
    return target >= 0 && attackers(target, by, from) > 0;
  }

  bool pawn_on(int column, int side) const {
    for (int square = column; square < 81; square += 9)
      if (squares[square] == side * PAWN) return true;
    return false;
  }
};

// A drop has no start and tells its kind.
struct Move {
  signed char start, target, kind;
  bool promotes;
  bool operator==(const Move& o) const {
    return start == o.start && target == o.target && kind == o.kind && promotes == o.promotes;
  }
};

inline Position after(Position now, const Move& move, int side) {
  if (move.start < 0) {
    --now.hand(side, move.kind);
    now.squares[move.target] = side * move.kind;
    return now;
  }
  const int taken = -side * now.squares[move.target];
  if (taken > 0 && taken != KING) ++now.hand(side, taken > KING ? taken - PROMOTED : taken);
  const int piece = now.squares[move.start];
  now.squares[move.start] = NONE;
  now.squares[move.target] = piece + (move.promotes ? side * PROMOTED : 0);
  return now;
}

inline void board_move(const Position& now, int side, int start, int target,
                       std::vector<Move>& moves) {
  const int kind = now.squares[start] * side;
  const bool turns = kind < KING && kind != GOLD && (in_zone(side, start) || in_zone(side, target));
  const auto from = static_cast<signed char>(start), to = static_cast<signed char>(target);
  if (turns) moves.push_back({from, to, 0, true});
  if (has_future(kind, side, target)) moves.push_back({from, to, 0, false});
}

// Where the piece on *start* can go, its own king's safety aside.
inline void moves_of(const Position& now, int side, int start, std::vector<Move>& moves) {
  const int kind = now.squares[start] * side;
  if (kind == KNIGHT) {
    const int row = start / 9 - 2 * side;
    if (row < 0 || row > 8) return;
    for (int column : {start % 9 - 1, start % 9 + 1})
      if (column >= 0 && column < 9 && now.squares[row * 9 + column] * side <= 0)
        board_move(now, side, start, row * 9 + column, moves);
    return;
  }
  for (int way = 0; way < 8; ++way) {
    const bool far = slides(kind, way);
    if (!far && !steps(kind, way)) continue;
    int r = start / 9, c = start % 9;
    do {
      r += AROUND[way].row * side;
      c += AROUND[way].column * side;
      if (r < 0 || r > 8 || c < 0 || c > 8 || now.squares[r * 9 + c] * side > 0) break;
      board_move(now, side, start, r * 9 + c, moves);
    } while (far && !now.squares[r * 9 + c]);
  }
}

inline void drops(const Position& now, int side, int target, std::vector<Move>& moves) {
  for (int kind = ROOK; kind >= PAWN; --kind)
    if (now.hand(side, kind) && has_future(kind, side, target) &&
        !(kind == PAWN && now.pawn_on(target % 9, side)))
      moves.push_back({-1, static_cast<signed char>(target), static_cast<signed char>(kind), false});
}

// All answers to a check that the defender has.
inline std::vector<Move> answers(const Position& now) {
  const int king = now.king(-1);
  std::vector<Move> moves, legal;
  std::array<int, 20> from;
  const int checks = now.attackers(king, 1, from);
  moves_of(now, -1, king, moves);
  if (checks == 1) {
    const int row = (from[0] / 9 > king / 9) - (from[0] / 9 < king / 9);
    const int column = (from[0] % 9 > king % 9) - (from[0] % 9 < king % 9);
    const bool knight = now.squares[from[0]] == KNIGHT;
    std::vector<int> between = {from[0]};
    for (int s = king + row * 9 + column; !knight && s != from[0]; s += row * 9 + column)
      between.push_back(s);
    std::array<int, 20> own;
    for (int target : between)
      for (int n = now.attackers(target, -1, own); n--;)
        if (own[n] != king) board_move(now, -1, own[n], target, moves);
    for (int target : between)
      if (target != from[0]) drops(now, -1, target, moves);
  }
  for (const Move& move : moves)
    if (!after(now, move, -1).attacked(move.start == king ? move.target : king, 1))
      legal.push_back(move);
  return legal;
}

// All moves of the attacker that give check, and leave his own king, where he has one, safe.
inline std::vector<Move> checks(const Position& now) {
  const int king = now.king(-1), own = now.king(1);
  std::vector<Move> moves, legal;
  // A piece checks from a square that the king sees, or opens a line that it stood on.
  std::array<char, 81> seen{};
  for (const Way& way : AROUND) {
    int r = king / 9 + way.row, c = king % 9 + way.column;
    for (; r >= 0 && r < 9 && c >= 0 && c < 9; r += way.row, c += way.column) {
      seen[r * 9 + c] = 1;
      if (now.squares[r * 9 + c]) break;
    }
  }
  if (king / 9 < 7)
    for (int column : {king % 9 - 1, king % 9 + 1})
      if (column >= 0 && column < 9) seen[(king / 9 + 2) * 9 + column] = 1;
  for (int square = 0; square < 81; ++square) {
    if (now.squares[square] > 0) moves_of(now, 1, square, moves);
    else if (seen[square] && !now.squares[square]) drops(now, 1, square, moves);
  }
  for (const Move& move : moves) {
    if (!seen[move.target] && !seen[move.start]) continue;
    const Position then = after(now, move, 1);
    if (!then.attacked(king, 1)) continue;
    if (own >= 0 && then.attacked(move.start == own ? move.target : own, -1)) continue;
    legal.push_back(move);
  }
  return legal;
}

}  // namespace mates
