// A player of the MIT Pokerbots protocol in C++17, with POSIX sockets only. It connects to the port that is its last
// argument, checks where it can, calls what is cheap, and raises once a round with an ace.

#include <arpa/inet.h>
#include <algorithm>
#include <iostream>
#include <netinet/in.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

struct Round {
  int index = 0, turn = 0;
  bool ace = false, raised = false;
  int front[2] = {1, 2}, behind[2] = {399, 398};  // chips by index; index 0 is the small blind

  void hear(const std::string& clause) {
    const char kind = clause[0];
    if (kind == 'H') ace = clause[1] == 'A' || clause[4] == 'A';
    if (kind == 'B') front[0] = front[1] = 0, turn = 1;
    if (kind == 'C' || kind == 'R') {
      const int total = kind == 'R' ? std::stoi(clause.substr(1)) : std::max(front[0], front[1]);
      behind[turn] -= total - front[turn];
      front[turn] = total;
    }
    if (kind == 'F' || kind == 'C' || kind == 'K' || kind == 'R') turn = 1 - turn;
  }

  std::string answer() {
    const int price = front[1 - index] - front[index];
    if (ace && !raised && price < behind[index] && behind[1 - index] > 0) {
      raised = true;
      const int most = std::min(behind[index], behind[1 - index] + price);
      return "R" + std::to_string(front[index] + std::min(most, price + std::max(price, 2)));
    }
    if (price == 0) return "K";
    return price <= 8 || ace ? "C" : "F";
  }
};

int main(int argc, char** argv) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<uint16_t>(std::stoi(argv[argc - 1])));
  inet_pton(AF_INET, "127.0.0.1", &place.sin_addr);
  if (connect(connection, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) return 1;
  Round round;
  std::string line;
  for (char c; read(connection, &c, 1) == 1;) {
    if (c != '\n') {
      line += c;
      continue;
    }
    std::istringstream clauses(line);
    bool over = false;
    for (std::string clause; clauses >> clause;) {
      if (clause == "Q") return 0;
      if (clause[0] == 'P') round = Round{}, round.index = clause[1] - '0';
      else if (clause[0] == 'D') over = true;  // an answer is asked for at the end of a round, too
      else round.hear(clause);
    }
    const std::string said = (over ? "K" : round.answer()) + "\n";
    if (write(connection, said.data(), said.size()) < 0) return 1;
    line.clear();
  }
}
