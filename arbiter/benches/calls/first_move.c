/* A bot that does next to nothing. It plays the first legal move of each request, or with any argument the longest
 * one, which in Tablić captures most. It lives until its input ends. */

#include <string.h>
#include <unistd.h>

static char request[1 << 16];

static int answer(int wants_longest) {
    char *list = strstr(request, "\nlegal ");
    char *move = list ? strchr(list + 1, '\n') : 0;
    char *best = 0;
    size_t longest = 0;
    while (move && strcmp(move + 1, "end\n")) {
        char *end = strchr(move + 1, '\n');
        if (!end)
            break;
        size_t length = (size_t)(end - move);
        if (length > longest) {
            best = move + 1;
            longest = length;
        }
        if (!wants_longest)
            break;
        move = end;
    }
    return best && write(STDOUT_FILENO, best, longest) > 0;
}

int main(int count, char **words) {
    (void)words;
    size_t length = 0;
    ssize_t found;
    while ((found = read(STDIN_FILENO, request + length, sizeof request - 1 - length)) > 0) {
        length += (size_t)found;
        request[length] = 0;
        /* The next request comes only after the answer, so nothing stands behind the last line. */
        if (length >= 5 && !strcmp(request + length - 5, "\nend\n")) {
            if (!answer(count > 1))
                return 1;
            length = 0;
        }
    }
    return 0;
}
