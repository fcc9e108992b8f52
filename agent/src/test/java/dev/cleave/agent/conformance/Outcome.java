package dev.cleave.agent.conformance;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;

/** What one run of a program gave: value or exception, and what the server saw. */
record Outcome(
        String result,
        List<String> log,
        List<String> ofGroup,
        int maxInFlight,
        int stayed,
        int open,
        int discarded,
        String violation) {

    static Outcome of(Class<?> program, Schedule schedule, int n) {
        ScriptedService service = new ScriptedService(schedule);
        String result;
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ProbeUser.USER.remove();
        try {
            Object value = program.getMethod("run", Svc.class, Svc.class, int.class)
                    .invoke(null, new ScriptedStub(service), ScriptedStub.ofOpenTypes(service), n);
            result = "value " + text(value);
        } catch (InvocationTargetException e) {
            result = "threw " + describe(e.getCause(), program.getName());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        } finally {
            Thread.currentThread().setContextClassLoader(context); // a program may have changed it
            ProbeUser.USER.remove();
        }
        return new Outcome(
                result,
                service.log,
                service.ofGroup,
                service.maxInFlight,
                service.stayed,
                service.inFlight,
                service.discarded,
                service.violation);
    }

    private static String text(Object value) {
        return value instanceof Object[] array
                ? Arrays.deepToString(array)
                : value instanceof int[] ints
                        ? Arrays.toString(ints)
                        : value instanceof double[] doubles ? Arrays.toString(doubles) : String.valueOf(value);
    }

    private static String describe(Throwable thrown, String program) {
        StringBuilder text = new StringBuilder(thrown.getClass().getName() + ": " + thrown.getMessage());
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().equals(program)) {
                text.append(" at ").append(frame.getMethodName()).append(':').append(frame.getLineNumber());
                break;
            }
        }
        return text.toString();
    }
}
