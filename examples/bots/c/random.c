/*
 * Plays any game: a legal move at random. A start for your own bot.
 *
 * A bot reads a request from standard input and prints one move. These are its lines:
 *
 *   arbiter 1          the version of the protocol, always the first line
 *   game NAME OPTIONS  the game and its options
 *   match ID           a name of this game, the same in all its requests
 *   seat S             your seat; seats count from 0 in the order of turns
 *   move K             the number of moves before this one in the game
 *   time T             milliseconds for this answer
 *   seed X             16 hexadecimal digits for your randomness, new in every request
 *   retry K            your last answer broke a rule, and this is retry K
 *   reason TEXT        the rule that it broke
 *   view N             N lines follow: all you can see of the current state, KEY VALUE...
 *   history N          N lines follow: the events so far, one per line
 *   legal N            N lines follow: legal moves; `legal N more` means that there are others
 *   end                the last line; another request may follow
 *
 * Lines with other keys are skipped, because later versions may add some.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    char **line;
    unsigned long count;
};

/* A request, but for the keys that this bot has no use for. */
struct request {
    unsigned long seat;
    unsigned long long seed;
    struct lines view, history, legal;
};

/* The next line without its end, to be freed by whoever asks; NULL where there is no more. */
static char *next_line(void) {
    size_t length = 0, room = 128;
    char *line = malloc(room);
    int letter = EOF;
    while (line != NULL && (letter = getchar()) != EOF && letter != '\n') {
        if (letter != '\r') line[length++] = (char)letter;
        if (length == room) line = realloc(line, room *= 2);
    }
    if (line == NULL) exit(1);
    line[length] = '\0';
    if (length > 0 || letter != EOF) return line;
    free(line);
    return NULL;
}

static void forget(struct lines *lines) {
    while (lines->count > 0) free(lines->line[--lines->count]);
    free(lines->line);
    lines->line = NULL;
}

static void read_lines(struct lines *lines, const char *number) {
    unsigned long count = strtoul(number, NULL, 10);
    forget(lines);
    lines->line = calloc(count + 1, sizeof *lines->line);
    if (lines->line == NULL) exit(1);
    while (lines->count < count && (lines->line[lines->count] = next_line()) != NULL)
        lines->count++;
}

/* Reads the next request; 0 where no other comes. */
static int read_request(struct request *request) {
    char *line;
    int is_end = 0;
    while (!is_end && (line = next_line()) != NULL) {
        char *space = strchr(line, ' ');
        const char *key = line, *value = space == NULL ? "" : space + 1;
        if (space != NULL) *space = '\0';
        if (strcmp(key, "arbiter") == 0 && strcmp(value, "1") != 0) {
            fprintf(stderr, "expected version 1 of the protocol, found `%s`\n", value);
            exit(1);
        }
        if (strcmp(key, "view") == 0) read_lines(&request->view, value);
        if (strcmp(key, "history") == 0) read_lines(&request->history, value);
        if (strcmp(key, "legal") == 0) read_lines(&request->legal, value);
        if (strcmp(key, "seat") == 0) request->seat = strtoul(value, NULL, 10);
        if (strcmp(key, "seed") == 0) request->seed = strtoull(value, NULL, 16);
        is_end = strcmp(key, "end") == 0;
        free(line);
    }
    return is_end;
}

/* The move to play. */
static const char *choose(const struct request *request) {
    /* YOUR BOT GOES HERE. All your seat knows is in request->view and request->history.
     * If a bot uses only this seed for randomness, it plays the same in a repeated match. */
    if (request->legal.count == 0) exit(1);
    return request->legal.line[request->seed % request->legal.count];
}

int main(void) {
    struct request request = {0};
    while (read_request(&request)) {
        puts(choose(&request));
        /* A bot that is kept alive gets its next request only after its answer. */
        fflush(stdout);
    }
    return 0;
}
