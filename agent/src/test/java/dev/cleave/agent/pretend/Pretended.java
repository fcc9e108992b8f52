package dev.cleave.agent.pretend;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/**
 * What classes extend that are made stubs: a call that is sent runs the method of the object itself, on another thread.
 * Calls whose arguments are no plain values decline, since nobody copies the arguments here as a wire would.
 */
public abstract class Pretended extends Stub {

    private static final LongAdder SENT = new LongAdder();
    private static final LongAdder CLAIMED = new LongAdder();
    private static final LongAdder AHEAD = new LongAdder();
    private static final ExecutorService SERVER = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "pretended-server");
        thread.setDaemon(true);
        return thread;
    });

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> System.out.println(
                        PretendRemote.CALLS + SENT.sum() + " " + CLAIMED.sum() + " " + AHEAD.sum())));
    }

    @Override
    public final String service() {
        return "pretended";
    }

    /** The sending twin of a method; null declines. */
    public static Handle send(Pretended stub, Class<?> type, String method, Object[] arguments) {
        return areValues(arguments) ? new Sent(stub, find(type, method), arguments) : null;
    }

    /** The encoding twin of a method; null declines. */
    public static Encoded encode(Pretended stub, Class<?> type, String method, Object[] arguments) {
        return areValues(arguments) ? new Written(stub, find(type, method), arguments) : null;
    }

    private static Method find(Class<?> type, String nameAndParameters) {
        for (Method method : type.getMethods()) {
            if (nameAndParameters.equals(method.getName() + method.getParameterCount())) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new IllegalStateException(type + " has no " + nameAndParameters);
    }

    private static boolean areValues(Object[] arguments) {
        for (Object argument : arguments) {
            boolean isNumber =
                    argument instanceof Number && argument.getClass().getName().startsWith("java.lang.");
            if (!isNumber
                    && argument != null
                    && !(argument instanceof String)
                    && !(argument instanceof Boolean)
                    && !(argument instanceof Character)) {
                return false;
            }
        }
        return true;
    }

    private static final class Sent extends Handle {

        private final Future<Object> answer;

        Sent(Pretended stub, Method method, Object[] arguments) {
            SENT.increment();
            answer = SERVER.submit(() -> method.invoke(stub, arguments));
        }

        @Override
        public void origin() {}

        @Override
        public boolean isDone() {
            return answer.isDone();
        }

        @Override
        public boolean hasAnswer() {
            try {
                await();
            } catch (Throwable e) { // an answer, too
                return true;
            }
            return true;
        }

        @Override
        public void awaitVoid() throws Throwable {
            await();
        }

        @Override
        public int awaitInt() throws Throwable {
            Object value = await();
            if (value instanceof Boolean flag) {
                return flag ? 1 : 0;
            }
            return value instanceof Character letter ? letter : ((Number) value).intValue();
        }

        @Override
        public long awaitLong() throws Throwable {
            return (long) await();
        }

        @Override
        public float awaitFloat() throws Throwable {
            return (float) await();
        }

        @Override
        public double awaitDouble() throws Throwable {
            return (double) await();
        }

        @Override
        public Object await() throws Throwable {
            CLAIMED.increment();
            try {
                return answer.get();
            } catch (ExecutionException e) {
                Throwable thrown = e.getCause();
                throw thrown instanceof InvocationTargetException wrapped ? wrapped.getCause() : thrown;
            }
        }

        @Override
        public void discard() {}
    }

    private static final class Written extends Encoded {

        private final Pretended stub;
        private final Method method;
        private final Object[] arguments;

        Written(Pretended stub, Method method, Object[] arguments) {
            this.stub = stub;
            this.method = method;
            this.arguments = arguments;
        }

        @Override
        public Handle send() {
            AHEAD.increment();
            return new Sent(stub, method, arguments);
        }

        @Override
        public boolean isSameCall(Encoded other) {
            return other instanceof Written call
                    && call.stub == stub
                    && call.method.equals(method)
                    && Arrays.equals(call.arguments, arguments);
        }

        @Override
        public String group() {
            return "";
        }

        @Override
        public int size() {
            return 8 * arguments.length;
        }
    }
}
