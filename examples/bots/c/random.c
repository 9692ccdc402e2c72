/* Plays any game: answers with one of the listed legal moves, chosen at random.
 *
 * A bot reads a request from standard input and prints one move, and that is all.
 * To compile: cc -O2 -o random random.c
 */
#include <stdio.h>

static char line[4096];

static int next_line(void) {
    return fgets(line, sizeof line, stdin) != NULL;
}

int main(void) {
    unsigned long long seed = 0;
    unsigned long count;
    /* Every line is a key and its value. Keys that are not known here are passed over, so that
     * the bot still plays when a later version of the protocol has more of them. */
    while (next_line()) {
        if (sscanf(line, "view %lu", &count) == 1 || sscanf(line, "history %lu", &count) == 1) {
            /* So many lines follow: what the seat knows now, or what has happened. */
            while (count-- > 0 && next_line()) {}
        } else if (sscanf(line, "legal %lu", &count) == 1 && count > 0) {
            /* So many moves follow; `legal 1000 more` says that there are others not listed. */
            unsigned long chosen = seed % count;
            for (unsigned long place = 0; place < count && next_line(); place++)
                if (place == chosen) fputs(line, stdout);
            /* A bot that is kept alive gets its next request only after this has arrived. */
            fflush(stdout);
        } else {
            /* The seed differs for every request. A bot that takes all chance from it plays the
             * same again when a match is repeated. */
            sscanf(line, "seed %llx", &seed);
        }
    }
    return 0;
}
