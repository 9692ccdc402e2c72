/* A bot that does next to nothing: it plays the first legal move. */

#include <string.h>
#include <unistd.h>

static char request[1 << 16];

int main(void) {
    size_t length = 0;
    ssize_t found;
    while ((found = read(STDIN_FILENO, request + length, sizeof request - 1 - length)) > 0)
        length += (size_t)found;
    request[length] = 0;
    char *list = strstr(request, "\nlegal ");
    char *move = list ? strchr(list + 1, '\n') : 0;
    char *end = move ? strchr(move + 1, '\n') : 0;
    if (!end)
        return 1;
    return write(STDOUT_FILENO, move + 1, (size_t)(end - move)) < 0;
}
