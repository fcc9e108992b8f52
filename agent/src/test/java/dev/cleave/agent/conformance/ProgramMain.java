package dev.cleave.agent.conformance;

/** Runs a program in a JVM of its own, in front of the scripted service, and prints what became of it. */
public final class ProgramMain {

    private ProgramMain() {}

    /** {@code CLASS N SEED [CALL...]}: the class of the program, its argument, the order of answers, calls that fail. */
    public static void main(String[] args) throws ReflectiveOperationException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Class<?> program = Class.forName(args[0], true, loader);
        String[] failing = java.util.Arrays.copyOfRange(args, 3, args.length);
        Schedule schedule = Schedule.failing(Long.parseLong(args[2]), failing);
        Outcome outcome = Outcome.of(program, schedule, Integer.parseInt(args[1]));
        System.out.println("result " + outcome.result());
        System.out.println("calls " + outcome.log().stream().sorted().toList());
        System.out.println("open " + outcome.open() + " violation " + outcome.violation());
        System.out.println("in flight " + outcome.maxInFlight());
    }
}
