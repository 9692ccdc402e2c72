// Plays any game: a legal move at random. A start for your own bot.
//
// A bot reads a request from standard input and prints one move. These are its lines:
//
//   arbiter 1          the version of the protocol, always the first line
//   game NAME OPTIONS  the game and its options
//   match ID           a name of this game, the same in all its requests
//   seat S             your seat; seats count from 0 in the order of turns
//   move K             the number of moves before this one in the game
//   time T             milliseconds for this answer
//   seed X             16 hexadecimal digits for your randomness, new in every request
//   retry K            your last answer broke a rule, and this is retry K
//   reason TEXT        the rule that it broke
//   view N             N lines follow: all you can see of the current state, KEY VALUE...
//   history N          N lines follow: the events so far, one per line
//   legal N            N lines follow: legal moves; `legal N more` means that there are others
//   end                the last line; another request may follow
//
// Lines with other keys are skipped, because later versions may add some.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Request {
    std::map<std::string, std::string> values;              // the text behind a key
    std::map<std::string, std::vector<std::string>> lists;  // the lines of view, history and legal
};

// Reads the next request; false where no other comes.
static bool read_request(std::istream &input, Request &request) {
    request = {};
    std::string line;
    while (std::getline(input, line)) {
        std::istringstream words(line);
        std::string key, value;
        words >> key >> std::ws;
        std::getline(words, value);
        if (key == "end") return true;
        if (key == "arbiter" && value != "1") {
            std::cerr << "expected version 1 of the protocol, found `" << value << "`\n";
            std::exit(1);
        }
        if (key == "view" || key == "history" || key == "legal") {
            std::vector<std::string> &list = request.lists[key];
            for (auto left = std::stoul(value); left > 0 && std::getline(input, line); left--)
                list.push_back(line);
        } else {
            request.values[key] = value;
        }
    }
    return false;
}

// The move to play.
static std::string choose(const Request &request) {
    // YOUR BOT GOES HERE. All your seat knows is in the lists `view` and `history`.
    // If a bot uses only this seed for randomness, it plays the same in a repeated match.
    const std::vector<std::string> &moves = request.lists.at("legal");
    const std::uint64_t seed = std::stoull(request.values.at("seed"), nullptr, 16);
    return moves.at(seed % moves.size());
}

int main() {
    Request request;
    // Flushed at once: a bot that is kept alive gets its next request only after its answer.
    while (read_request(std::cin, request)) std::cout << choose(request) << std::endl;
}
