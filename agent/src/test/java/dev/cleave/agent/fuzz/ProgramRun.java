package dev.cleave.agent.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One run of a generated program, and what can be observed of it.
 *
 * @param outcome the result, or the exception with its message and the program's top line
 * @param heap the fields and collections that the program may change, and its arguments
 * @param threw whether an exception was thrown, caught or not: calls that it skipped may have been sent
 * @param server what the server saw
 */
record ProgramRun(String outcome, String heap, boolean threw, ScriptedServer server) {

    /** The methods that change nothing. */
    static final Set<String> READING = Set.of("calc", "calcSum", "look", "peek", "name");

    /** What differs between runs of the same program. */
    record Setting(int failOneIn, int receivers, int n, boolean aliased, long schedule, int declineOneIn) {

        static Setting random(Random random) {
            return new Setting(
                    List.of(0, 0, 5, 12, 40).get(random.nextInt(5)),
                    random.nextInt(6),
                    random.nextInt(9),
                    random.nextBoolean(),
                    random.nextLong(),
                    List.of(0, 0, 0, 4).get(random.nextInt(4)));
        }
    }

    static ProgramRun of(Class<?> type, Setting setting, InFlightBound bound) {
        return of(type, setting, bound, server -> {});
    }

    /** Runs it in virtual time, every call one round trip. */
    static ProgramRun timed(Class<?> type, Setting setting, InFlightBound bound) {
        return of(type, setting, bound, ScriptedServer::keepTime);
    }

    private static ProgramRun of(
            Class<?> type, Setting setting, InFlightBound bound, Consumer<ScriptedServer> preparation) {
        Fuel.fill();
        FuzzProgram program = newProgram(type);
        ScriptedServer server = new ScriptedServer(setting.failOneIn(), setting.schedule(), program, bound);
        preparation.accept(server);
        server.declineOneIn(setting.declineOneIn());
        FuzzService s = new ScriptedStub("s", server);
        FuzzService t =
                switch (setting.receivers()) {
                    case 0 -> s;
                    case 1 -> new LocalService(server, program);
                    case 2 -> null;
                    default -> new ScriptedStub("t", server);
                };
        if (setting.receivers() == 3) {
            s = new LocalService(server, program);
        }
        return run(program, setting, server, s, t);
    }

    /** Runs it with services of nodes, which answer as a scripted server says. */
    static ProgramRun over(NodeServices services, Class<?> type, Setting setting) {
        Fuel.fill();
        FuzzProgram program = newProgram(type);
        ScriptedServer server = new ScriptedServer(setting.failOneIn(), setting.schedule(), program, InFlightBound.ONE);
        services.serve(server);
        FuzzService t = setting.receivers() == 0 ? services.s() : setting.receivers() == 2 ? null : services.t();
        ProgramRun run = run(program, setting, server, services.s(), t);
        services.settle();
        return run;
    }

    private static ProgramRun run(
            FuzzProgram program, Setting setting, ScriptedServer server, FuzzService s, FuzzService t) {
        int[] a = setting.aliased() ? program.arr : new int[] {4, 0, 2, 7};
        List<Integer> xs = new ArrayList<>(List.of(3, 1, 4, 1, 5));
        String outcome;
        boolean threw = false;
        try {
            outcome = String.valueOf(program.run(s, t, setting.n(), a, xs));
        } catch (Throwable e) {
            threw = true;
            outcome = describe(e, program.getClass().getName());
        }
        return new ProgramRun(
                outcome,
                program.heap() + Arrays.toString(a) + xs,
                threw || Fuel.hasCaught() || server.hasFailed(),
                server);
    }

    private static FuzzProgram newProgram(Class<?> type) {
        try {
            return (FuzzProgram) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("program: " + type, e);
        }
    }

    /** Whether the program as written does not come to an end. */
    boolean isEndless() {
        return outcome.contains(Fuel.Spent.class.getName());
    }

    /**
     * The text without the name that the JVM gives to a null local: after {@code t.f(c ? 1 : 2)} it may be that of a slot.
     * The named patterns hold it for the common shapes.
     */
    private static String unnamed(String text) {
        return text.replaceAll("because \"[^\"]*\" is null", "because it is null");
    }

    private static String describe(Throwable thrown, String program) {
        String failure = thrown.toString();
        for (StackTraceElement element : thrown.getStackTrace()) {
            if (element.getClassName().equals(program)) {
                return failure + " at " + element.getMethodName() + ":" + element.getLineNumber();
            }
        }
        return failure + " without a line of the program";
    }

    /** What of this run, of the rewritten program, may not be, given the run of the program as written. */
    List<String> differences(ProgramRun written) {
        List<String> found = new ArrayList<>();
        if (!unnamed(outcome).equals(unnamed(written.outcome))) {
            found.add("outcome: " + outcome + " (as written: " + written.outcome + ")");
        }
        if (!unnamed(heap).equals(unnamed(written.heap))) {
            found.add("heap: " + heap + " (as written: " + written.heap + ")");
        }
        if (!server.open().isEmpty()) {
            found.add("calls left open: " + server.open());
        }
        found.addAll(server.violations());
        for (String receiver : List.of("s", "t", "local")) {
            List<String> kept = ofGroup(receiver, written.server.log());
            List<String> seen = ofGroup(receiver, server.log());
            if (!isInOrder(kept, seen, written.threw)) {
                found.add("calls of a group: " + seen + " (as written: " + kept + ")");
            }
        }
        found.addAll(logDifferences(
                segments(changing(written.server.log())), segments(changing(server.log())), written.threw));
        List<String> unread = new ArrayList<>(written.server.log());
        server.log().forEach(unread::remove);
        if (!unread.isEmpty()) {
            found.add("calls not made at all: " + unread);
        }
        return found;
    }

    private static List<String> ofGroup(String receiver, List<String> log) {
        return log.stream()
                .filter(entry ->
                        entry.startsWith("note(" + receiver + ";") || entry.startsWith("tick(" + receiver + ";"))
                .toList();
    }

    /** Whether the calls of a group came in their order, and no others unless an exception was thrown. */
    private static boolean isInOrder(List<String> written, List<String> rewritten, boolean threw) {
        Iterator<String> left = rewritten.iterator();
        for (String entry : written) {
            boolean isFound = false;
            while (!isFound && left.hasNext()) {
                isFound = left.next().equals(entry);
                if (!isFound && !threw) {
                    return false;
                }
            }
            if (!isFound) {
                return false;
            }
        }
        return threw || !left.hasNext();
    }

    /** Chained calls are executed as in the program as written, whatever fails. */
    private static boolean isChained(String entry) {
        return entry.startsWith("push") || entry.startsWith("pull") || entry.startsWith("label");
    }

    /** The calls that may change something, and those of local receivers: readings may be made more often, and earlier. */
    private static List<String> changing(List<String> log) {
        return log.stream().filter(entry -> !isReading(entry)).toList();
    }

    /** Cuts a log at its barriers: calls without a style, chained ones, and every call of a local receiver. */
    private static List<List<String>> segments(List<String> log) {
        List<List<String>> segments = new ArrayList<>(List.of(new ArrayList<>()));
        for (String entry : log) {
            boolean barrier = entry.startsWith("barrier")
                    || entry.startsWith("store")
                    || entry.startsWith("tell")
                    || entry.startsWith("tip")
                    || isChained(entry)
                    || entry.contains("(local;");
            if (barrier) {
                segments.add(new ArrayList<>(List.of(entry)));
                segments.add(new ArrayList<>());
            } else {
                segments.get(segments.size() - 1).add(entry);
            }
        }
        return segments;
    }

    private static boolean isReading(String entry) {
        return !entry.contains("(local;") && READING.contains(entry.replaceAll("\\(.*", ""));
    }

    private static List<String> logDifferences(
            List<List<String>> written, List<List<String>> rewritten, boolean threw) {
        List<String> found = new ArrayList<>();
        if (written.size() != rewritten.size()) {
            found.add("barriers: " + rewritten + " (as written: " + written + ")");
            return found;
        }
        for (int i = 0; i < written.size(); i++) {
            List<String> missing = new ArrayList<>(written.get(i));
            List<String> extra = new ArrayList<>(rewritten.get(i));
            for (String entry : rewritten.get(i)) {
                if (missing.remove(entry)) {
                    extra.remove(entry);
                }
            }
            extra.removeIf(entry -> entry.startsWith("spec(") || entry.startsWith("perhaps(")); // T2
            if (!missing.isEmpty()) {
                found.add("calls not made: " + missing);
            }
            if (!extra.isEmpty() && !threw) {
                found.add("calls made too many: " + extra);
            }
        }
        return found;
    }
}
