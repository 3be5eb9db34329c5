// Positions as text: the attacker is to move, whichever side he is.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string>

#include "board.hpp"

namespace mates {

const std::string LETTERS = " PLNSGBRK";
inline std::string written(const Position& now) {
  std::string text;
  for (int row = 0; row < 9; ++row) {
    int empty = 0;
    if (row) text += '/';
    for (int column = 0; column < 9; ++column) {
      const int piece = now.squares[row * 9 + column], kind = std::abs(piece);
      if (!piece) {
        ++empty;
        continue;
      }
      if (empty) text += std::to_string(empty);
      empty = 0;
      if (kind > KING) text += '+';
      const char letter = LETTERS[kind > KING ? kind - PROMOTED : kind];
      text += piece > 0 ? letter : static_cast<char>(std::tolower(letter));
    }
    if (empty) text += std::to_string(empty);
  }
  std::string held;
  for (int side : {1, -1})
    for (int kind = ROOK; kind >= PAWN; --kind)
      if (const int count = now.hand(side, kind)) {
        if (count > 1) held += std::to_string(count);
        held += side > 0 ? LETTERS[kind] : static_cast<char>(std::tolower(LETTERS[kind]));
      }
  return text + " b " + (held.empty() ? "-" : held) + " 1";
}

inline Position read(const std::string& sfen) {
  std::istringstream words(sfen);
  std::string rows, turn, held;
  words >> rows >> turn >> held;
  const bool turned = turn == "w";
  Position now;
  int square = 0, promoted = 0, count = 0;
  auto side_of = [&](char letter) { return (std::isupper(letter) != 0) != turned ? 1 : -1; };
  auto kind_of = [](char letter) {
    return static_cast<int>(LETTERS.find(static_cast<char>(std::toupper(letter))));
  };
  for (char letter : rows) {
    if (letter == '/') continue;
    if (letter == '+') promoted = PROMOTED;
    else if (std::isdigit(letter)) square += letter - '0';
    else {
      now.squares[turned ? 80 - square : square] = side_of(letter) * (kind_of(letter) + promoted);
      promoted = 0;
      ++square;
    }
  }
  for (char letter : held) {
    if (letter == '-') continue;
    if (std::isdigit(letter)) count = count * 10 + letter - '0';
    else {
      now.hand(side_of(letter), kind_of(letter)) = std::max(count, 1);
      count = 0;
    }
  }
  return now;
}

}  // namespace mates
