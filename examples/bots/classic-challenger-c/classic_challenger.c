/* Plays Coup in the classic dialect: challenges whenever it may, and else plays at random.
 *
 * It is called for each decision as
 * classic_challenger FILE OPPONENT_COINS OWN_COINS CARDS LEGAL...
 * To compile: cc -O2 -o classic_challenger classic_challenger.c
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number below count, each as likely as any other. */
static int below(FILE *chance, int count) {
    unsigned number, most = UINT_MAX - UINT_MAX % (unsigned)count;
    do
        if (fread(&number, sizeof number, 1, chance) != 1) exit(1);
    while (number >= most);
    return (int)(number % (unsigned)count);
}

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    char *cards = argv[4];
    char **legal = argv + 5;
    int count = argc - 5;
    FILE *chance = fopen("/dev/urandom", "rb");
    /* FILE holds the game so far. The last line is the turn that is going on. */
    FILE *game = fopen(argv[1], "r+b");
    if (chance == NULL || game == NULL) return 1;
    int byte, previous = '\n', action = '\n';
    while ((byte = fgetc(game)) != EOF) {
        if (previous == '\n') action = byte;
        previous = byte;
    }
    const char *move = legal[below(chance, count)];
    for (int place = 0; place < count; place++)
        if (strcmp(legal[place], "q") == 0) move = legal[place];
    fseek(game, 0, SEEK_END);
    fputs(move, game);
    if (fclose(game) != 0) return 1;
    /* An exchange ends with a line end, while CARDS has two more. Those that are kept are printed. */
    if (action == 'E' && previous != '\n' && count == 1 && strcmp(legal[0], "\n") == 0) {
        int held = (int)strlen(cards);
        for (int place = 0; place + 2 < held; place++) {
            int other = place + below(chance, held - place);
            putchar(cards[other]);
            cards[other] = cards[place];
        }
        putchar('\n');
    }
    return 0;
}
