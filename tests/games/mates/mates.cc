// Long mates of our own making, and a second program that knows how long a mate is.
//
//   g++ -O2 -std=c++17 -o mates tests/games/mates/mates.cc
//   ./mates make SEED SECONDS [FILE]   prints "PLIES<tab>SFEN" for every problem it composes
//   ./mates prove NODES [MOST] < FILE  prints "PLIES<tab>SFEN" for every SFEN, a row's last column;
//                                      mates of more plies than MOST are not looked for
//
// Problems are composed by changing one piece of a position at a time, or by taking a check and its
// answer back, and keeping what makes its shortest mate no shorter: from the problems of a file on,
// each of them once, or from a few pieces strewn about a king.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "board.hpp"
#include "sfen.hpp"
#include "solver.hpp"

namespace {

using namespace mates;

constexpr std::array<int, 8> SET = {0, 18, 4, 4, 4, 4, 2, 2};  // of each kind in a set
constexpr int LEAST = 13;        // plies of a long mate
constexpr int EACH = 2;          // problems of a length from one beginning
constexpr int APART = 12;        // changes between any two of them
constexpr int PATIENCE = 1'500;  // tries that bring nothing, until another beginning is taken

using Chance = std::mt19937_64;
int below(Chance& chance, int end) { return static_cast<int>(chance() % end); }

bool may_stand(const Position& now, int square, int piece) {
  const int kind = std::abs(piece), side = piece > 0 ? 1 : -1;
  return !now.squares[square] && has_future(kind, side, square) &&
         !(kind == PAWN && now.pawn_on(square % 9, side));
}

// A king with a few pieces about him; all the others of a set are in his hand.
Position strewn(Chance& chance) {
  Position now;
  const int king = below(chance, 4) * 9 + below(chance, 9);
  now.squares[king] = -KING;
  for (int kind = PAWN; kind <= ROOK; ++kind) now.hand(-1, kind) = SET[kind];
  for (int n = 3 + below(chance, 7); n--;) {
    const int row = king / 9 - 3 + below(chance, 8), column = king % 9 - 4 + below(chance, 9);
    const int kind = 1 + below(chance, 7), side = below(chance, 5) < 3 ? 1 : -1;
    const int piece = side * (kind + (kind != GOLD && below(chance, 3) == 0 ? PROMOTED : 0));
    if (row < 0 || row > 8 || column < 0 || column > 8 || !now.hand(-1, kind)) continue;
    if (!may_stand(now, row * 9 + column, piece)) continue;
    --now.hand(-1, kind);
    now.squares[row * 9 + column] = piece;
  }
  for (int n = 1 + below(chance, 4); n--;) {
    const int kind = 1 + below(chance, 7);
    if (!now.hand(-1, kind)) continue;
    --now.hand(-1, kind);
    ++now.hand(1, kind);
  }
  return now;
}

// *now* with one piece put, taken away, moved, turned over or given to the other side.
Position changed(Position now, Chance& chance) {
  for (;;) {
    const int square = below(chance, 81), piece = now.squares[square], kind = std::abs(piece);
    const int bare = kind > KING ? kind - PROMOTED : kind;
    const int one = 1 + below(chance, 7);
    switch (below(chance, 7)) {
      case 0: {  // put
        const int side = below(chance, 2) ? 1 : -1;
        const int put = side * (one + (one != GOLD && below(chance, 3) == 0 ? PROMOTED : 0));
        if (!now.hand(-1, one) || !may_stand(now, square, put)) break;
        --now.hand(-1, one);
        now.squares[square] = put;
        return now;
      }
      case 1:  // taken away
        if (!piece || kind == KING) break;
        now.squares[square] = NONE;
        ++now.hand(-1, bare);
        return now;
      case 2:
      case 3: {  // moved, mostly not far
        if (!piece) break;
        const int row = square / 9 - 2 + below(chance, 5), column = square % 9 - 2 + below(chance, 5);
        if (row < 0 || row > 8 || column < 0 || column > 8) break;
        now.squares[square] = NONE;
        if (!may_stand(now, row * 9 + column, piece)) {
          now.squares[square] = static_cast<signed char>(piece);
          break;
        }
        now.squares[row * 9 + column] = static_cast<signed char>(piece);
        return now;
      }
      case 4: {  // turned over or given to the other side
        if (!piece || kind == KING) break;
        const int side = piece > 0 ? 1 : -1;
        now.squares[square] = NONE;
        const int other = below(chance, 2) || bare == GOLD
                              ? -piece
                              : side * (kind > KING ? bare : bare + PROMOTED);
        const bool fits = may_stand(now, square, other);
        now.squares[square] = static_cast<signed char>(fits ? other : piece);
        if (!fits) break;
        return now;
      }
      case 5:  // into the attacker's hand
        if (!now.hand(-1, one) || now.hand(1, one) > 2) break;
        --now.hand(-1, one);
        ++now.hand(1, one);
        return now;
      default:  // out of the attacker's hand
        if (!now.hand(1, one)) break;
        --now.hand(1, one);
        ++now.hand(-1, one);
        return now;
    }
  }
}

// *now* as it may have been a check and an answer of the king's before.
Position before(Position now, Chance& chance) {
  for (;;) {
    const int king = now.king(-1), way = below(chance, 8);
    const int row = king / 9 + AROUND[way].row, column = king % 9 + AROUND[way].column;
    if (row < 0 || row > 8 || column < 0 || column > 8 || now.squares[row * 9 + column]) continue;
    Position then = now;
    then.squares[king] = NONE;
    then.squares[row * 9 + column] = -KING;
    int kind = 1 + below(chance, 7);
    if (below(chance, 2)) {  // the piece that checked was taken
      if (!then.hand(-1, kind)) continue;
      --then.hand(-1, kind);
    } else {  // or stands there still
      const int square = below(chance, 81), piece = then.squares[square];
      if (piece <= 0) continue;
      then.squares[square] = NONE;
      kind = piece > KING ? piece - PROMOTED : piece;
    }
    if (below(chance, 2)) {  // it was dropped
      if (then.hand(1, kind) > 3) continue;
      ++then.hand(1, kind);
      return then;
    }
    const int from = below(chance, 81);  // or moved
    const int piece = kind != GOLD && below(chance, 4) == 0 ? kind + PROMOTED : kind;
    if (!may_stand(then, from, piece)) continue;
    then.squares[from] = static_cast<signed char>(piece);
    return then;
  }
}

int pieces(const Position& now) {
  return static_cast<int>(81 - std::count(now.squares.begin(), now.squares.end(), 0));
}

// Prints problems for so many seconds, which begin as those in *from* or, without any, anew.
void make(std::uint64_t seed, double seconds, std::vector<Position> from) {
  Chance chance(seed);
  Solver solver;
  const auto begun = std::chrono::steady_clock::now();
  auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  const bool anew = from.empty();
  std::shuffle(from.begin(), from.end(), chance);
  while (spent() < seconds && (anew || !from.empty())) {
    Position best = anew ? strewn(chance) : from.back();
    if (!anew) from.pop_back();
    std::array<int, MOST + 1> kept{};
    int plies = solver.solve(best, anew ? 2'000 : 100'000), since = 0, changes = 0;
    if (plies < 3) continue;
    if (!anew) kept[plies] = 1;
    while (since < PATIENCE && kept[MOST] < EACH && spent() < seconds) {
      Position other = below(chance, 2) ? before(best, chance) : changed(best, chance);
      if (below(chance, 3) == 0) other = changed(other, chance);
      const int longer = solver.solve(other, 1'000 + 40 * plies * plies);
      ++since;
      // What is as long with more pieces is mostly not better.
      if (longer < plies) continue;
      if (longer == plies && pieces(other) > pieces(best) && below(chance, 2)) continue;
      ++changes;
      if (longer > plies) since = 0;
      best = other;
      plies = longer;
      if (plies < LEAST || changes < APART || kept[plies] == EACH) continue;
      std::cout << plies << '\t' << written(best) << std::endl;
      changes = since = 0;
      ++kept[plies];
    }
  }
}

// The last columns of all rows.
std::vector<std::string> sfens(std::istream& rows) {
  std::vector<std::string> found;
  for (std::string line; std::getline(rows, line);)
    if (!line.empty() && line[0] != '#') found.push_back(line.substr(line.rfind('\t') + 1));
  return found;
}

void prove(std::int64_t nodes, int most) {
  Solver solver;
  for (const std::string& sfen : sfens(std::cin))
    std::cout << solver.solve(read(sfen), nodes, most) << '\t' << sfen << std::endl;
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "make" && (count == 4 || count == 5)) {
    std::vector<Position> from;
    if (count == 5) {
      std::ifstream rows(words[4]);
      for (const std::string& sfen : sfens(rows)) from.push_back(read(sfen));
    }
    make(std::strtoull(words[2], nullptr, 10), std::atof(words[3]), from);
  } else if (what == "prove" && (count == 3 || count == 4)) {
    prove(std::atoll(words[2]), count == 4 ? std::atoi(words[3]) : MOST);
  } else {
    std::cerr << "mates make SEED SECONDS [FILE] | mates prove NODES [MOST] < FILE\n";
    return 2;
  }
  return 0;
}
