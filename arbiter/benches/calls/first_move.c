/* A bot that does next to nothing. It plays the first legal move of each request; with `capture` the longest one, which
 * in Tablić captures most; with `second` the second one, which in poker never folds. It lives until its input ends. */

#include <string.h>
#include <unistd.h>

static char request[1 << 16];

static int answer(char wanted) {
    char *list = strstr(request, "\nlegal ");
    char *move = list ? strchr(list + 1, '\n') : 0;
    char *best = 0;
    size_t longest = 0;
    int seen = 0;
    while (move && strcmp(move + 1, "end\n")) {
        char *end = strchr(move + 1, '\n');
        if (!end)
            break;
        size_t length = (size_t)(end - move);
        if (length > longest || wanted == 's') {
            best = move + 1;
            longest = length;
        }
        if (wanted != 'c' && ++seen > (wanted == 's'))
            break;
        move = end;
    }
    return best && write(STDOUT_FILENO, best, longest) > 0;
}

int main(int count, char **words) {
    size_t length = 0;
    ssize_t found;
    while ((found = read(STDIN_FILENO, request + length, sizeof request - 1 - length)) > 0) {
        length += (size_t)found;
        request[length] = 0;
        /* The next request comes only after the answer, so nothing stands behind the last line. */
        if (length >= 5 && !strcmp(request + length - 5, "\nend\n")) {
            if (!answer(count > 1 ? words[1][0] : 0))
                return 1;
            length = 0;
        }
    }
    return 0;
}
