// A plain search by checks, one ply pair deeper each time, so that the first mate found is a
// shortest one. The project's own solver is a proof-number search.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "board.hpp"

namespace mates {

constexpr int MOST = 17;  // plies of the longest mate that is looked for

struct Known {
  std::uint64_t key = 0;
  signed char mate = 99, none = 0;  // mate within so many plies; none within so many
  Move best{-2, 0, 0, false};
};

class Solver {
 public:
  Solver() : table_(1 << 20) {
    std::mt19937_64 chance(20261123);
    for (auto& square : pieces_)
      for (auto& piece : square) piece = chance();
    for (auto& side : held_)
      for (auto& kind : side)
        for (auto& count : kind) count = chance();
  }

  // The plies of a shortest mate, 0 where there is none up to *most*, -1 where *nodes* end before.
  int solve(const Position& start, std::int64_t nodes, int most = MOST) {
    left_ = nodes;
    if (start.king(-1) < 0 || start.attacked(start.king(-1), 1)) return 0;
    for (int plies = 1; plies <= most; plies += 2) {
      const bool found = mates(start, plies);
      if (left_ < 0) return -1;
      if (found) return plies;
    }
    return 0;
  }

 private:
  std::uint64_t key(const Position& now) const {
    std::uint64_t found = 0;
    for (int square = 0; square < 81; ++square)
      if (now.squares[square]) found ^= pieces_[square][now.squares[square] + 16];
    for (int side = 0; side < 2; ++side)
      for (int kind = PAWN; kind <= ROOK; ++kind) found ^= held_[side][kind][now.hands[side][kind]];
    return found;
  }

  bool mates(const Position& now, int plies) {
    if (--left_ < 0) return false;
    const std::uint64_t id = key(now);
    Known& known = table_[id & (table_.size() - 1)];
    Move first{-2, 0, 0, false};
    if (known.key == id) {
      if (known.mate <= plies) return true;
      if (known.none >= plies) return false;
      first = known.best;
    }
    std::vector<Move> moves = checks(now);
    for (std::size_t n = 1; n < moves.size(); ++n)
      if (moves[n] == first) std::swap(moves[0], moves[n]);
    for (const Move& move : moves) {
      if (!fails(after(now, move, 1), plies - 1, move)) continue;
      if (left_ < 0) return false;
      keep(id, plies, 0, move);
      return true;
    }
    if (left_ >= 0) keep(id, 99, plies, first);
    return false;
  }

  // Whether no answer helps against the check that *move* gives.
  bool fails(const Position& now, int plies, const Move& move) {
    const std::vector<Move> moves = answers(now);
    if (moves.empty()) return move.start >= 0 || move.kind != PAWN;  // no mate by a dropped pawn
    if (plies == 0) return false;
    for (const Move& answer : moves)
      if (!mates(after(now, answer, -1), plies - 1)) return false;
    return true;
  }

  void keep(std::uint64_t id, int mate, int none, const Move& best) {
    Known& known = table_[id & (table_.size() - 1)];
    if (known.key != id) known = Known{};
    known.key = id;
    known.mate = static_cast<signed char>(std::min<int>(known.mate, mate));
    known.none = static_cast<signed char>(std::max<int>(known.none, none));
    known.best = best;
  }

  std::vector<Known> table_;
  std::uint64_t pieces_[81][32];
  std::uint64_t held_[2][8][20];
  std::int64_t left_ = 0;
};

}  // namespace mates
