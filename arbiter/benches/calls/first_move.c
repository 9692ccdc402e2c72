/* A bot that does next to nothing: it plays the first legal move of each request, until its input ends. */

#include <string.h>
#include <unistd.h>

static char request[1 << 16];

static int answer(void) {
    char *list = strstr(request, "\nlegal ");
    char *move = list ? strchr(list + 1, '\n') : 0;
    char *end = move ? strchr(move + 1, '\n') : 0;
    return end && write(STDOUT_FILENO, move + 1, (size_t)(end - move)) > 0;
}

int main(void) {
    size_t length = 0;
    ssize_t found;
    while ((found = read(STDIN_FILENO, request + length, sizeof request - 1 - length)) > 0) {
        length += (size_t)found;
        request[length] = 0;
        /* The next request comes only after the answer, so nothing stands behind the last line. */
        if (length >= 5 && !strcmp(request + length - 5, "\nend\n")) {
            if (!answer())
                return 1;
            length = 0;
        }
    }
    return 0;
}
