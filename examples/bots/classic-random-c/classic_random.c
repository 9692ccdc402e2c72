/* Plays Coup in the classic dialect: appends one of the legal moves, chosen at random.
 *
 * It is called for each decision as
 * classic_random FILE OPPONENT_COINS OWN_COINS CARDS LEGAL...
 * To compile: cc -O2 -o classic_random classic_random.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    const char *cards = argv[4];
    char **legal = argv + 5;
    int count = argc - 5;
    /* FILE holds the game so far. The last line is the turn that is going on. */
    FILE *game = fopen(argv[1], "r+b");
    if (game == NULL) return 1;
    unsigned seed = (unsigned)time(NULL) ^ (unsigned)clock();
    int byte, previous = '\n', action = '\n';
    while ((byte = fgetc(game)) != EOF) {
        if (previous == '\n') action = byte;
        previous = byte;
        seed = seed * 31 + (unsigned)byte;
    }
    for (const char *card = cards; *card; card++) seed = seed * 31 + (unsigned)*card;
    srand(seed);
    const char *move = legal[rand() % count];
    fseek(game, 0, SEEK_END);
    fputs(move, game);
    if (fclose(game) != 0) return 1;
    /* An exchange ends with a line end, while CARDS has two more: the first are kept. */
    if (action == 'E' && previous != '\n' && count == 1 && strcmp(legal[0], "\n") == 0)
        printf("%.*s\n", (int)strlen(cards) - 2, cards);
    return 0;
}
