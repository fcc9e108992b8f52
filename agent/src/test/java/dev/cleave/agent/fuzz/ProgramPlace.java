package dev.cleave.agent.fuzz;

/**
 * A line of a generated program.
 *
 * @param type the class that has it, by binary name
 * @param line its number, -1 if unknown
 */
record ProgramPlace(String type, int line) {

    private static final StackWalker WALKER = StackWalker.getInstance();

    /** Where the current thread is in a program, or in one of the classes nested in it. */
    static ProgramPlace current(FuzzProgram program) {
        String type = program.getClass().getName();
        return WALKER.walk(
                frames -> frames.filter(frame -> frame.getClassName().startsWith(type) && frame.getLineNumber() > 0)
                        .findFirst()
                        .map(frame -> new ProgramPlace(frame.getClassName(), frame.getLineNumber()))
                        .orElseGet(() -> new ProgramPlace(type, -1)));
    }
}
