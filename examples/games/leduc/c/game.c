/*
 * Leduc poker: the rules of a game as a module, to start from.
 *
 * The referee asks in lines, and this module answers in lines. The first part is the game. YOUR GAME GOES
 * HERE: put other functions of the same names into its place. The second part reads the calls, and can stay
 * as it is. There is no C library: a module can use nothing but itself.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds to the answer, as `printf` would; there are `%d` and `%s` alone. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...);

static bool same(const char *one, const char *other);

/* The game: ABOUT, `begin`, `state`, `happen`, `check` and `play`, and what they need. */

static const char ABOUT[] =
    "rules 1\n"
    "name leduc\n"
    "title Leduc poker\n"
    "about two rounds of betting with six cards\n"
    "seats 2\n"
    "most 26\n"
    "help There are six cards: two jacks, two queens and two kings.\n"
    "help Each seat has 13 chips, puts 1 into the pot, and gets one card, which the other seat does not see.\n"
    "help After a round of betting, a card is turned up for both seats: the board. Then there is another round.\n"
    "help Seat 0 begins each round. A seat that owes nothing can check or raise; otherwise call, raise or fold.\n"
    "help A raise is 2 chips in the first round and 4 in the second. Each round has at most two raises.\n"
    "help A seat that folds loses the pot. At the end, a card equal to the board wins it, or else the higher card.\n"
    "help If the cards are equal, each seat takes back what it put in. You score the chips that you have at the end.\n";

enum { RANKS = 3, CHIPS = 13, MOST_RAISES = 2 };
enum move { CHECK, FOLD, CALL, RAISE };

static const char *const CARD[RANKS] = {"J", "Q", "K"};
static const char *const MOVE[] = {"check", "fold", "call", "raise"};
static const int RAISES[] = {2, 4};

static struct {
    int cards[3], drawn;     /* of seat 0, of seat 1, and the board */
    int pot[2];              /* from each seat */
    enum move moves[2][4];   /* of each round */
    int count[2];            /* how many those are */
    int round;
    bool is_over;
    int scores[2];
} game;

/* Is it nature that decides next? */
static bool is_chance(void) { return !game.is_over && game.drawn < 2 + game.round; }

/* The seat that is to move. */
static int turn(void) { return game.count[game.round] % 2; }

/* The number of these cards that are not drawn. */
static int left(int card) {
    int left = 2;
    for (int i = 0; i < game.drawn; i++) left -= game.cards[i] == card;
    return left;
}

/* Writes down the legal moves, and gives their number. The first of them costs nothing. */
static int legal(enum move moves[3]) {
    int count = 0, raises = 0;
    if (game.is_over || is_chance()) return 0;
    if (game.pot[0] == game.pot[1]) {
        moves[count++] = CHECK;
    } else {
        moves[count++] = FOLD;
        moves[count++] = CALL;
    }
    for (int i = 0; i < game.count[game.round]; i++) raises += game.moves[game.round][i] == RAISE;
    if (raises < MOST_RAISES) moves[count++] = RAISE;
    return count;
}

/* The legal move of this name, or -1. */
static int legal_move(const char *name) {
    enum move moves[3];
    int count = legal(moves);
    for (int i = 0; i < count; i++)
        if (same(name, MOVE[moves[i]])) return (int)moves[i];
    return -1;
}

/* The strength of a seat's card beside the board. */
static int strength(int seat) {
    int card = game.cards[seat];
    return card == game.cards[2] ? RANKS + card : card;
}

/* Has the game ended with both cards on the table? */
static bool is_shown(void) {
    return game.is_over && game.moves[game.round][game.count[game.round] - 1] != FOLD;
}

/* Ends the game. Without a winner, which is -1, each seat takes back what it has put in. */
static void end(int winner) {
    game.is_over = true;
    game.scores[0] = game.scores[1] = CHIPS;
    if (winner >= 0) {
        int lost = game.pot[1 - winner];
        game.scores[winner] += lost;
        game.scores[1 - winner] -= lost;
    }
}

/* Begins a game; or says why not, and changes nothing. */
static const char *begin(const char *options) {
    if (!same(options, "seats=2")) return "Leduc poker has two seats and no options";
    game.drawn = game.round = game.count[0] = game.count[1] = 0;
    game.pot[0] = game.pot[1] = 1;
    game.is_over = false;
    return NULL;
}

/* Says what comes next, and what each seat may know. */
static void state(void) {
    static const char *const ROUND[] = {"first", "second"};
    if (game.is_over) {
        say("over %d %d\n", game.scores[0], game.scores[1]);
    } else if (is_chance()) {
        say("chance");
        for (int card = 0; card < RANKS; card++)
            if (left(card) > 0) say(" %d*%s", left(card), CARD[card]);
        say("\n");
    } else {
        enum move moves[3];
        int count = legal(moves);
        say("turn %d\n", turn());
        for (int i = 0; i < count; i++) say("move %s\n", MOVE[moves[i]]);
        say("fallback %s\n", MOVE[moves[0]]);
    }
    if (!game.is_over) say("walkover %d %d\n", CHIPS + game.pot[1], CHIPS + game.pot[0]);
    say("view * round %d\n", game.round + 1);
    say("view * pot %d %d\n", game.pot[0], game.pot[1]);
    for (int round = 0; round < 2; round++) {
        if (game.count[round] == 0) continue;
        say("view * %s", ROUND[round]);
        for (int i = 0; i < game.count[round]; i++) say(" %s", MOVE[game.moves[round][i]]);
        say("\n");
    }
    for (int seat = 0; seat < 2 && seat < game.drawn; seat++)
        say("view %d card %s\n", seat, CARD[game.cards[seat]]);
    if (game.drawn == 3) say("view * board %s\n", CARD[game.cards[2]]);
    if (is_shown()) say("view * shown %s %s\n", CARD[game.cards[0]], CARD[game.cards[1]]);
}

/* Nature has drawn this card; or says why that cannot be, and changes nothing. */
static const char *happen(const char *name) {
    int card = 0;
    while (card < RANKS && !same(name, CARD[card])) card++;
    if (!is_chance() || card == RANKS || left(card) == 0) return "this card cannot be drawn now";
    int seat = game.drawn++;
    game.cards[seat] = card;
    if (seat == 2) {
        say("event board %s\n", name);
        say("tell The board is %s\n", name);
    } else {
        say("secret %d deal %d %s\n", seat, seat, name);
        say("tell {%d} gets %s\n", seat, name);
        say("others deal %d ?\n", seat);
        say("tell {%d} gets a card\n", seat);
    }
    return NULL;
}

/* Says why a move is not legal now; NULL if it is. */
static const char *check(const char *move) {
    return legal_move(move) < 0 ? "this move is not possible now" : NULL;
}

/* The seat whose turn it is plays this legal move. */
static void play(const char *name) {
    int seat = turn();
    enum move move = (enum move)legal_move(name);
    game.moves[game.round][game.count[game.round]++] = move;
    say("event %d %s\n", seat, name);
    say("tell {%d} %ss\n", seat, name);
    if (move == FOLD) {
        end(1 - seat);
    } else if (move == RAISE) {
        game.pot[seat] = game.pot[1 - seat] + RAISES[game.round];
    } else {
        game.pot[seat] = game.pot[1 - seat];
        if (move == CHECK && seat == 0) return;
        if (game.round == 0) {
            game.round = 1;
            return;
        }
        int more = strength(0) - strength(1);
        const char *first = CARD[game.cards[0]], *second = CARD[game.cards[1]];
        end(more > 0 ? 0 : more < 0 ? 1 : -1);
        say("event shown %s %s\n", first, second);
        say("tell {0} shows %s and {1} shows %s\n", first, second);
    }
}

/* The protocol. */

#define EXPORT(name) __attribute__((export_name(name)))

enum { LONGEST = 1 << 20 };

static char call[LONGEST + 1], answer_text[LONGEST];
static size_t length;

static bool same(const char *one, const char *other) {
    while (*one != '\0' && *one == *other) one++, other++;
    return *one == *other;
}

static void say_letter(char letter) {
    if (length == LONGEST) __builtin_trap();
    answer_text[length++] = letter;
}

static void say_number(unsigned number) {
    if (number > 9) say_number(number / 10);
    say_letter((char)('0' + number % 10));
}

static void say(const char *format, ...) {
    va_list values;
    va_start(values, format);
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            say_letter(*format);
        } else if (*++format == 'd') {
            int number = va_arg(values, int);
            if (number < 0) say_letter('-');
            say_number(number < 0 ? 0u - (unsigned)number : (unsigned)number);
        } else if (*format == 's') {
            for (const char *text = va_arg(values, const char *); *text != '\0'; text++) say_letter(*text);
        } else {
            __builtin_trap();
        }
    }
    va_end(values);
}

/* Answers a call, or says why it is refused. */
static const char *answered(const char *verb, const char *rest) {
    static bool has_begun;
    const char *refused = NULL;
    if (same(verb, "about")) {
        say("%s", ABOUT);
        return NULL;
    }
    if (same(verb, "new")) {
        refused = begin(rest);
        if (refused == NULL) has_begun = true;
    } else if (!has_begun) {
        refused = "no game has begun";
    } else if (same(verb, "happen")) {
        refused = happen(rest);
    } else if (same(verb, "play")) {
        refused = check(rest);
        if (refused == NULL) play(rest);
    } else if (same(verb, "check")) {
        refused = check(rest);
        if (refused == NULL) say("ok\n");
        return refused;
    } else {
        refused = "this call is not known";
    }
    if (refused == NULL) state();
    return refused;
}

/* The place for a call of this many bytes. */
EXPORT("room") char *room(uint32_t bytes) {
    if (bytes > LONGEST) __builtin_trap();
    return call;
}

/* Answers the call of this many bytes: the address of the answer, and its length in the lower half. */
EXPORT("answer") uint64_t answer(uint32_t bytes) {
    char *rest = call;
    call[bytes] = '\0';
    while (*rest != '\0' && *rest != ' ') rest++;
    if (*rest == ' ') *rest++ = '\0';
    length = 0;
    const char *refused = answered(call, rest);
    if (refused != NULL) {
        length = 0;
        say("refused %s\n", refused);
    }
    return (uint64_t)(uintptr_t)answer_text << 32 | length;
}
