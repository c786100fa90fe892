// Functions with several names, and a call through the linker's table.
#include <stdio.h>

int priced(int number) {
    return number * 3 + 1;
}
int a_price(int number) __attribute__((alias("priced")));
int the_price(int number) __attribute__((alias("priced")));

int main(int count, char** words) {
    printf("%s %d\n", words[0], a_price(count) + the_price(count));
    return 0;
}
