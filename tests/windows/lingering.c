/* A bot for Windows that answers at once and leaves a program behind, which makes a file after
   twenty seconds. A call may last five, so the program would outlive it. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

/* The second word is the file, and the third says what this is. */
int main(int words, char **word)
{
    if (words < 2) return 2;
    if (words > 2 && strcmp(word[2], "left") == 0) {
        Sleep(20000);
        FILE *file = fopen(word[1], "w");
        return file == NULL || fclose(file) != 0;
    }
    char self[MAX_PATH], command[4 * MAX_PATH];
    GetModuleFileNameA(NULL, self, sizeof self);
    snprintf(command, sizeof command, "\"%s\" \"%s\" left", self, word[1]);
    STARTUPINFOA with = {.cb = sizeof with};
    PROCESS_INFORMATION left;
    if (!CreateProcessA(NULL, command, NULL, NULL, FALSE, DETACHED_PROCESS, NULL, NULL, &with, &left)) return 3;
    /* The first legal move. */
    char line[4096];
    int is_next = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (is_next) {
            fputs(line, stdout);
            return 0;
        }
        is_next = strncmp(line, "legal ", 6) == 0;
    }
    return 4;
}
