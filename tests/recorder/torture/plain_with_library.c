/* Built without instrumentation, linked with a library that has it. */
void library_step(void);

int main(void) {
    library_step();
    return 0;
}
